/** A time as Kubernetes' MicroTime is written. */
export function microTime(date: Date): string {
  return date.toISOString().replace('Z', '000Z');
}
