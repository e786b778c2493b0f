import fc from "fast-check";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { Rows, ScratchRows } from "#main/indexes/simd.ts";

const bitsBetween = (a: Uint8Array, b: Uint8Array) =>
  a.reduce((sum, byte, at) => sum + (byte ^ (b[at] ?? 0)).toString(2).replaceAll("0", "").length, 0);

const rowsOf = (width: number) =>
  fc.array(fc.uint8Array({ minLength: width, maxLength: width }), { minLength: 1, maxLength: 40 });

describe("rows of bytes", () => {
  it("are found by the bits in which they differ, the nearest first, of equal ones the earlier", () => {
    const sized = fc.integer({ min: 1, max: 70 }).chain((width) => fc.tuple(rowsOf(width), fc.nat(39), fc.nat(40)));
    fc.assert(
      fc.property(sized, ([all, at, wanted]) => {
        const rows = new Rows(all[0]?.length ?? 0);
        for (const [row, bytes] of all.entries()) rows.set(row, bytes);
        const query = all[at % all.length] ?? new Uint8Array(0);
        const exact = all
          .map((bytes, row) => ({ row, distance: bitsBetween(bytes, query) }))
          .sort((a, b) => a.distance - b.distance || a.row - b.row)
          .slice(0, wanted)
          .map(({ row }) => row);
        expect(rows.nearest(query, all.length, wanted)).toEqual(exact);
      }),
      { numRuns: 60 },
    );
  });

  it("are multiplied with a vector, and read again as they were set", () => {
    const sized = fc
      .integer({ min: 1, max: 400 })
      .chain((width) =>
        fc.tuple(
          rowsOf(width),
          fc.array(fc.float({ noNaN: true, min: -1, max: 1 }), { minLength: width, maxLength: width }),
        ),
      );
    fc.assert(
      fc.property(sized, ([all, values]) => {
        const vector = Float32Array.from(values);
        const rows = new Rows(vector.length);
        for (const [row, bytes] of all.entries()) rows.set(row, bytes);
        const numbers = [...all.keys()].reverse();
        const sums = rows.products(vector, numbers);
        for (const [at, row] of numbers.entries()) {
          const codes = new Int8Array(all[row] ?? []);
          const exact = codes.reduce((sum, code, place) => sum + code * (vector[place] ?? 0), 0);
          expect(Math.abs((sums[at] ?? 0) - exact)).toBeLessThan(1e-4 * 127 * vector.length);
          expect(rows.get(row, vector.length)).toEqual(all[row]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("grow beyond what was there", () => {
    const rows = new Rows(48);
    const bytesOf = (row: number) => Uint8Array.from({ length: 48 }, (_, at) => (row * 31 + at * 7) & 255);
    for (let row = 0; row < 20_000; row++) rows.set(row, bytesOf(row));
    expect(rows.get(123, 48)).toEqual(bytesOf(123));
    expect(rows.nearest(bytesOf(19_999), 20_000, 1)).toEqual([19_999 % 256]);
  });

  it("of one comparison are the memory of the next one, unless they are of another length", () => {
    const scratch = new ScratchRows();
    const first = scratch.of(48);
    expect(scratch.of(48)).toBe(first);
    expect(scratch.of(64)).not.toBe(first);
  });

  it("are refused when one is longer than the query's place", () => {
    expect(() => new Rows(8_192)).not.toThrow();
    expect(() => new Rows(8_193)).toThrow(expect.objectContaining({ code: "internal" }));
  });

  it("say what is missing on a processor that cannot run the loops", async () => {
    const { Memory, Instance, CompileError } = WebAssembly;
    const Module = class {
      constructor() {
        throw new CompileError("Wasm SIMD unsupported");
      }
    };
    vi.resetModules();
    vi.stubGlobal("WebAssembly", { Memory, Instance, CompileError, Module });
    onTestFinished(() => void vi.unstubAllGlobals());
    const fresh = await import("#main/indexes/simd.ts");
    expect(() => new fresh.Rows(48)).toThrow(expect.objectContaining({ code: "model_unsupported" }));
  });
});
