/** An object of which a test gives what it needs; whatever else is asked for is a failure that names it. */
export function stub<T extends object>(name: string, members: Partial<T>): T {
  return new Proxy(members, {
    get: (target, member) => {
      if (member in target) return Reflect.get(target, member);
      throw new Error(`the test does not expect ${name}.${String(member)}`);
    },
  }) as T;
}
