import { isSubdomain } from './subdomain.ts';

const NAME = /^[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$/;

/** What the keys and values of labels look like, for hints. */
export const LABEL_LOOK = 'letters, digits, "-", "_" and ".", at most 63, beginning and ending with a letter or digit';
/** What a key with a prefix looks like. */
export const PREFIXED_LOOK = 'a DNS subdomain in lower case, one "/", and a name: example.com/my-name';

/** Whether a text is a label's key as Kubernetes knows it: a name, perhaps after a subdomain and a slash. */
export function isLabelKey(key: string): boolean {
  const slash = key.indexOf('/');
  return NAME.test(key.slice(slash + 1)) && (slash < 0 || isSubdomain(key.slice(0, slash)));
}

/** Whether a text is a label's value; it may be empty. */
export function isLabelValue(text: string): boolean {
  return text === '' || NAME.test(text);
}
