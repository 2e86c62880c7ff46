/** A double without an exponent, with as many digits as tell it from every other: `1`, `0.000001`, `1000000000000000000000`. */
export function printPlain(value: number): string {
  return printSpecial(value) ?? plain(value);
}

/** A double or integer with so many digits after the point, rounded half to even: `3.14`. */
export function printFixed(value: number, precision: number): string {
  const special = printSpecial(value);
  if (special !== undefined) return special;
  const digits = scaled(Math.abs(value), precision)
    .toString()
    .padStart(precision + 1, '0');
  const split = digits.length - precision;
  return `${sign(value)}${digits.slice(0, split)}${precision === 0 ? '' : `.${digits.slice(split)}`}`;
}

/** A double or integer with one digit before the point and so many after it, rounded half to even: `1.05e+03`. */
export function printScientific(value: number, precision: number): string {
  const special = printSpecial(value);
  if (special !== undefined) return special;
  const amount = Math.abs(value);
  let exponent = amount === 0 ? 0 : Number(amount.toExponential().split('e')[1]);
  let digits = scaled(amount, precision - exponent).toString();
  if (digits.length > precision + 1) {
    exponent++;
    digits = digits.slice(0, -1);
  }
  digits = digits.padStart(precision + 1, '0');
  const mantissa = precision === 0 ? digits : `${digits.slice(0, 1)}.${digits.slice(1)}`;
  return `${sign(value)}${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

function printSpecial(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  return Number.isFinite(value) ? undefined : value > 0 ? 'Infinity' : '-Infinity';
}

function sign(value: number): string {
  return value < 0 || Object.is(value, -0) ? '-' : '';
}

function plain(value: number): string {
  const [mantissa = '', exponentText = '0'] = Math.abs(value).toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const exponent = Number(exponentText);
  if (exponent < 0) return `${sign(value)}0.${'0'.repeat(-exponent - 1)}${digits}`;
  const whole = digits.slice(0, exponent + 1).padEnd(exponent + 1, '0');
  const rest = digits.slice(exponent + 1);
  return `${sign(value)}${whole}${rest === '' ? '' : `.${rest}`}`;
}

/** value * 10^power, exact, rounded half to even. */
function scaled(value: number, power: number): bigint {
  const [mantissa, exponent] = decompose(value);
  let numerator = mantissa;
  let denominator = 1n;
  if (exponent >= 0) numerator <<= BigInt(exponent);
  else denominator <<= BigInt(-exponent);
  if (power >= 0) numerator *= 10n ** BigInt(power);
  else denominator *= 10n ** BigInt(-power);
  const quotient = numerator / denominator;
  const twice = (numerator % denominator) * 2n;
  return twice > denominator || (twice === denominator && quotient % 2n === 1n) ? quotient + 1n : quotient;
}

/** A double that is not negative as mantissa * 2^exponent. */
function decompose(value: number): readonly [mantissa: bigint, exponent: number] {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & 0xfffffffffffffn;
  const exponent = Number(bits >> 52n);
  return exponent === 0 ? [fraction, -1074] : [fraction | 0x10000000000000n, exponent - 1075];
}
