const SUBDOMAIN = /^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$/;
const LONGEST = 253;

/** Whether a text is a subdomain of DNS as Kubernetes writes it (RFC 1123, lower case): the name of most objects. */
export function isSubdomain(text: string): boolean {
  return text.length <= LONGEST && SUBDOMAIN.test(text);
}
