import { describe, expect, it } from "vitest";
import { filterOf } from "../../renderer/state/library.ts";
import { formatHash, parseHash, places } from "../../renderer/state/route.ts";

describe("links into the window", () => {
  it("come back as they were written", () => {
    for (const place of places) {
      const route = { place, id: place === "record" ? 12 : null, params: { q: "who paid? 50 % & more", open: "7" } };
      expect(parseHash(formatHash(route))).toEqual(route);
    }
  });

  it("lead to Ask when they say nothing that is known", () => {
    for (const hash of ["", "#", "#/nowhere", "#/../../etc", "#/record/abc?q=1"]) {
      expect(["ask", "library"]).toContain(parseHash(hash).place);
    }
    expect(parseHash("#/record/0").place).toBe("library");
  });

  it("leave empty parameters out", () => {
    expect(formatHash({ place: "library", params: { q: "", kind: "photo" } })).toBe("#/library?kind=photo");
  });
});

describe("filters in the address", () => {
  it("are read when they parse, and left out when they do not", () => {
    expect(filterOf({ kind: "photo,email,nonsense", person: "3", from: "2024-01-01", to: "soon" })).toEqual({
      kinds: ["photo", "email"],
      personId: 3,
      from: "2024-01-01",
    });
    expect(filterOf({ person: "-1", from: "2024-1-1" })).toEqual({});
  });
});
