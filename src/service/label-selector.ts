const NAME = '[A-Za-z0-9](?:[-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?';
const KEY = `(?:[a-z0-9](?:[-a-z0-9.]{0,251}[a-z0-9])?/)?${NAME}`;
const VALUE = `(?:${NAME})?`;
const VALUES = `\\(\\s*${VALUE}(?:\\s*,\\s*${VALUE})*\\s*\\)`;
const COMPARED = [`\\s*(?:==?|!=)\\s*${VALUE}`, `\\s+(?:in|notin)\\s*${VALUES}`, '\\s*[<>]\\s*\\d{1,18}'].join('|');
const REQUIREMENT = `\\s*(?:!\\s*${KEY}|${KEY}(?:${COMPARED})?)\\s*`;
const SELECTOR = new RegExp(`^${REQUIREMENT}(?:,${REQUIREMENT})*$`);

/** Whether a text is a label selector as the API server reads it (apimachinery `labels.Parse`): `shard=a`, `shard in (a, b), !old`, `gen>5`. */
export function isLabelSelector(text: string): boolean {
  return SELECTOR.test(text);
}
