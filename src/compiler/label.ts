import { isSubdomain } from './subdomain.ts';

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** Whether a text may be the key of a label: a name, perhaps after a subdomain and a slash. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/');
  return NAME.test(key.slice(slash + 1)) && (slash < 0 || isSubdomain(key.slice(0, slash)));
}

/** Whether a text may be the value of a label: a name, or empty. */
export function isLabelValue(text: string): boolean {
  return text === '' || NAME.test(text);
}

/** What messages say of the form of a label's key or value. */
export function labelForm(what: 'key' | 'value', text: string): string {
  if (what === 'key' && text.includes('/')) return 'a DNS subdomain in lower case, one "/", and a name: example.com/my-name';
  return 'letters, digits, "-", "_" and ".", at most 63, beginning and ending with a letter or digit';
}
