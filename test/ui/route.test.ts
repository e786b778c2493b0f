import { afterEach, describe, expect, it, vi } from "vitest";
import { filterOf } from "../../renderer/state/library.ts";
import { formatHash, navigate, parseHash, places, setParams, useRoute } from "../../renderer/state/route.ts";

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

describe("what is typed", () => {
  afterEach(() => vi.unstubAllGlobals());

  /** A window whose address is set at once and told of only later, as a browser's is. */
  function address(hash: string) {
    const location = { hash };
    const history = {
      replaceState(_state: unknown, _title: string, to: string) {
        location.hash = to;
      },
    };
    vi.stubGlobal("window", { location, history });
    useRoute.setState(parseHash(hash), true);
    return location;
  }

  it("goes into the address of where it was typed, each change on the one before", () => {
    const location = address("#/library?kind=photo");
    setParams({ q: "lantern" }, { replace: true });
    setParams({ kind: "" });
    expect(location.hash).toBe("#/library?q=lantern");
    navigate({ place: "ask" });
    setParams({ open: "7" });
    expect(location.hash).toBe("#/ask?open=7");
  });

  it("leads nobody back to a place that was left by a link in the same moment", () => {
    const location = address("#/library");
    location.hash = "#/ask";
    setParams({ q: "lantern" }, { replace: true });
    expect(location.hash).toBe("#/ask");
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
