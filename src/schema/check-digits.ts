/** Numbers that carry a digit to check the others by, as the API server reads the formats of that name. */

/** A card's number whose check digit is right (Luhn); what else stands in the text does not count, nor who issues such numbers. */
export function isCreditCard(text: string): boolean {
  const digits = text.replace(/[^0-9]/g, '');
  if (digits.length < 13 || digits.length > 19) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at += 1) {
    const digit = Number(digits.at(-1 - at));
    const doubled = at % 2 === 0 ? digit : digit * 2;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** A book's number of 10 digits, the last perhaps X, with hyphens and white space anywhere. */
export function isIsbn10(text: string): boolean {
  const digits = bare(text);
  if (!/^[0-9]{9}[0-9X]$/.test(digits)) return false;
  return [...digits].reduce((sum, digit, at) => sum + (at + 1) * (digit === 'X' ? 10 : Number(digit)), 0) % 11 === 0;
}

/** The same of 13 digits. */
export function isIsbn13(text: string): boolean {
  const digits = bare(text);
  if (!/^[0-9]{13}$/.test(digits)) return false;
  return [...digits].reduce((sum, digit, at) => sum + (at % 2 === 0 ? 1 : 3) * Number(digit), 0) % 10 === 0;
}

function bare(text: string): string {
  return text.replace(/[\s-]+/g, '');
}
