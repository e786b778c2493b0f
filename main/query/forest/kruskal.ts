/** Candidate edge between two positions; `cost` c_e = −ln w_e ≥ 0. */
export interface CandidateEdge {
  readonly a: number;
  readonly b: number;
  readonly cost: number;
}

interface Gain {
  readonly edge: number;
  readonly a: number;
  readonly b: number;
  /** B_e = κ − λ·c_e. */
  readonly gain: number;
}

/** Gains below this are none. */
const epsilon = 1e-12;

/**
 * Maximum-weight forests over the edges of positive gain B_e = κ − λ·c_e: Kruskal's, exact because the forests are the
 * independent sets of the graphic matroid. A forest is the ascending list of its edges' places in the order of gains.
 */
export class Forests {
  readonly #gains: readonly Gain[];
  /** Places of the edges of each position, ascending. */
  readonly #at: readonly number[][];
  readonly #parents: Int32Array;

  constructor(edges: readonly CandidateEdge[], positions: number, treeCost: number, edgeCost: number) {
    // Best first; ties by the earlier ends. Of two edges between the same ends only the better one can be in a forest.
    this.#gains = edges
      .map(({ a, b, cost }, edge) => ({ edge, a: Math.min(a, b), b: Math.max(a, b), gain: treeCost - edgeCost * cost }))
      .filter(({ gain, a, b }) => gain > epsilon && a !== b && a >= 0)
      .sort((x, y) => y.gain - x.gain || x.a - y.a || x.b - y.b || x.edge - y.edge);
    this.#at = Array.from({ length: positions }, () => []);
    for (const [place, { a, b }] of this.#gains.entries()) {
      this.#at[a]?.push(place);
      this.#at[b]?.push(place);
    }
    this.#parents = new Int32Array(positions);
  }

  /** The maximum forest inside a set. */
  forestIn(inside: readonly boolean[]): number[] {
    const places: number[] = [];
    for (const [place, { a, b }] of this.#gains.entries()) if (inside[a] && inside[b]) places.push(place);
    return this.#kruskal(places);
  }

  /**
   * The maximum forest of `inside` with one more position, from the maximum forest of `inside`: an edge that is left out
   * there closes a cycle of better ones here too (cycle property), so only the forest's and the new position's edges count.
   */
  grown(forest: readonly number[], into: number, inside: readonly boolean[]): readonly number[] {
    const places: number[] = [];
    let next = 0;
    for (const place of this.#at[into] ?? []) {
      const gain = this.#gains[place];
      if (gain === undefined || !inside[gain.a === into ? gain.b : gain.a]) continue;
      while (next < forest.length && (forest[next] ?? 0) < place) places.push(forest[next++] ?? 0);
      places.push(place);
    }
    if (places.length === 0) return forest;
    while (next < forest.length) places.push(forest[next++] ?? 0);
    return this.#kruskal(places);
  }

  /** No forest gains more by this position than all its edges together. */
  mostFor(into: number, inside: readonly boolean[]): number {
    let most = 0;
    for (const place of this.#at[into] ?? []) {
      const gain = this.#gains[place];
      if (gain !== undefined && inside[gain.a === into ? gain.b : gain.a]) most += gain.gain;
    }
    return most;
  }

  gainOf(forest: readonly number[]): number {
    let sum = 0;
    for (const place of forest) sum += this.#gains[place]?.gain ?? 0;
    return sum;
  }

  /** A forest as indexes into the edges that were given, ascending. */
  edgesOf(forest: readonly number[]): number[] {
    return forest.flatMap((place) => this.#gains[place]?.edge ?? []).sort((x, y) => x - y);
  }

  /** Of edges in the order of gains, those that join two trees. */
  #kruskal(places: readonly number[]): number[] {
    const parents = this.#parents;
    for (const place of places) {
      const { a, b } = this.#gains[place] ?? { a: 0, b: 0 };
      parents[a] = a;
      parents[b] = b;
    }
    const taken: number[] = [];
    for (const place of places) {
      const { a, b } = this.#gains[place] ?? { a: 0, b: 0 };
      const [x, y] = [this.#root(a), this.#root(b)];
      if (x === y) continue;
      parents[Math.max(x, y)] = Math.min(x, y);
      taken.push(place);
    }
    return taken;
  }

  #root(position: number): number {
    let at = position;
    for (let up = this.#parents[at] ?? at; up !== at; up = this.#parents[at] ?? at) at = up;
    return at;
  }
}
