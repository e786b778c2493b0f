import type { QueryPorts } from "#main/query/ports.ts";

/** Ports that count what is asked of them: work is bounded by calls and sizes, never by a clock. */
export interface Counting {
  readonly ports: QueryPorts;
  /** Calls by name, `index.searchText`. */
  readonly calls: ReadonlyMap<string, number>;
  total(): number;
}

export function counting(ports: QueryPorts): Counting {
  const calls = new Map<string, number>();
  const watched = <T extends object>(room: string, port: T): T =>
    new Proxy(port, {
      get(target, key, receiver) {
        const member: unknown = Reflect.get(target, key, receiver);
        if (typeof member !== "function") return member;
        return (...args: unknown[]): unknown => {
          const name = `${room}.${String(key)}`;
          calls.set(name, (calls.get(name) ?? 0) + 1);
          return Reflect.apply(member, target, args);
        };
      },
    });
  return {
    ports: { ...ports, records: watched("records", ports.records), index: watched("index", ports.index) },
    calls,
    total: () => [...calls.values()].reduce((sum, count) => sum + count, 0),
  };
}
