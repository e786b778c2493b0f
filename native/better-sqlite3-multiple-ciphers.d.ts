/** The part of the driver that native/sqlite.ts uses; its own types are not reachable through its export map. */
declare module "better-sqlite3-multiple-ciphers" {
  class SqliteError extends Error {
    readonly code: string;
  }

  interface Statement<Row> {
    run(...params: (Driver.Value | Driver.Row)[]): { changes: number; lastInsertRowid: number | bigint };
    get(...params: (Driver.Value | Driver.Row)[]): Row | undefined;
    all(...params: (Driver.Value | Driver.Row)[]): Row[];
    iterate(...params: (Driver.Value | Driver.Row)[]): IterableIterator<Row>;
  }

  class Driver {
    constructor(path: string, options?: { readonly?: boolean; fileMustExist?: boolean; timeout?: number });
    static readonly SqliteError: typeof SqliteError;
    readonly readonly: boolean;
    readonly inTransaction: boolean;
    prepare(sql: string): Statement<Driver.Row>;
    transaction<T>(work: () => T): { immediate(): T };
    exec(sql: string): this;
    pragma(sql: string, options?: { simple?: boolean }): unknown;
    serialize(options?: { attached?: string }): Uint8Array;
    loadExtension(path: string): void;
    close(): this;
  }

  namespace Driver {
    type Value = null | number | bigint | string | Uint8Array;
    type Row = Readonly<Record<string, Value>>;
  }

  export = Driver;
}
