import type { EvidenceForest } from "#contract";

/** Sizes in pixels. */
export interface CardSize {
  width: number;
  height: number;
}

export interface PlacedCard extends CardSize {
  recordId: number;
  x: number;
  y: number;
  root: boolean;
}

export interface PlacedBranch {
  from: number;
  to: number;
  /** SVG path from the right edge of the parent to the left edge of the child. */
  path: string;
  /** Stroke width, by the strength of the support. */
  thickness: number;
  /** Where the one-word label ends. */
  labelX: number;
  labelY: number;
}

export interface TreeLayout {
  cards: PlacedCard[];
  branches: PlacedBranch[];
  width: number;
  height: number;
}

/** A node of a tree with its children, strongest first. */
export interface TreeNode {
  recordId: number;
  utility: number;
  /** s_inc of the edge that joins it to its parent, 0–5; 0 for a root. */
  increment: number;
  role: EvidenceForest["edges"][number]["role"] | null;
  children: TreeNode[];
}

/** The trees of a forest, strongest root first. A node whose parent is missing stands as a root of its own. */
export function buildTrees(forest: EvidenceForest): TreeNode[] {
  const nodes = new Map<number, TreeNode>();
  for (const node of forest.nodes) {
    const edge = forest.edges.find(
      (one) =>
        one.inForest &&
        ((one.from === node.parent && one.to === node.recordId) ||
          (one.to === node.parent && one.from === node.recordId)),
    );
    nodes.set(node.recordId, {
      recordId: node.recordId,
      utility: node.utility,
      increment: edge?.increment ?? 0,
      role: edge?.role ?? null,
      children: [],
    });
  }
  const roots: TreeNode[] = [];
  for (const { recordId, parent } of forest.nodes) {
    const node = nodes.get(recordId);
    if (!node) continue;
    const above = parent === null ? undefined : nodes.get(parent);
    if (above) above.children.push(node);
    else roots.push(node);
  }
  const byStrength = (a: TreeNode, b: TreeNode) => b.utility - a.utility;
  for (const node of nodes.values()) node.children.sort(byStrength);
  return roots.sort(byStrength);
}

/** Depth of a tree: 0 for a root alone. */
export function depthOf(tree: TreeNode): number {
  return tree.children.reduce((deepest, child) => Math.max(deepest, 1 + depthOf(child)), 0);
}

const rowGap = 14;
const widest = { root: 300, leaf: 240, gap: 132 };
const narrowest = { leaf: 190, gap: 104 };

/** Height of a card of text: its lines at the card's width, between one and four for a root, two for a leaf. */
export function textHeight(text: { subject: string | null; quote: string }, root: boolean): number {
  const perLine = root ? 36 : 27;
  const lines = Math.min(root ? 4 : 2, Math.max(1, Math.ceil(text.quote.length / perLine)));
  return 46 + (text.subject ? 20 : 0) + lines * (root ? 24 : 22);
}

/** Height of a card with a picture over `hasText` or only a byline. */
export function pictureHeight(hasText: boolean, root: boolean): number {
  return (root ? 212 : 140) + (hasText ? 26 : 0);
}

/** Stroke of a branch: 1.5 px for a bare link to 7 px for the strongest support. */
export function thickness(increment: number): number {
  return 1.5 + Math.min(5, Math.max(0, increment)) * 1.1;
}

/**
 * Lays one tree out from left to right: the root in the first column, each generation in the next, a parent in the
 * middle of its children. Columns draw closer, down to a limit, to fit `available` pixels.
 */
export function layoutTree(
  tree: TreeNode,
  heightOf: (node: TreeNode, root: boolean) => number,
  available: number,
): TreeLayout {
  const depth = depthOf(tree);
  const room = depth === 0 ? 0 : (available - widest.root) / depth;
  const leaf = depth === 0 ? widest.leaf : clamp(room - widest.gap, narrowest.leaf, widest.leaf);
  const gap = depth === 0 ? 0 : clamp(room - leaf, narrowest.gap, widest.gap);
  const cards: PlacedCard[] = [];
  const branches: PlacedBranch[] = [];

  function extent(node: TreeNode, root: boolean): number {
    const below = node.children.reduce((sum, child) => sum + extent(child, false) + rowGap, -rowGap);
    return Math.max(heightOf(node, root), below);
  }

  function place(node: TreeNode, column: number, top: number): PlacedCard {
    const root = column === 0;
    const height = heightOf(node, root);
    const total = extent(node, root);
    const card: PlacedCard = {
      recordId: node.recordId,
      root,
      width: root ? widest.root : leaf,
      height,
      x: root ? 0 : widest.root + gap + (column - 1) * (leaf + gap),
      y: top + (total - height) / 2,
    };
    cards.push(card);
    const below = node.children.reduce((sum, child) => sum + extent(child, false) + rowGap, -rowGap);
    let next = top + (total - below) / 2;
    for (const child of node.children) {
      const placed = place(child, column + 1, next);
      next += extent(child, false) + rowGap;
      branches.push(branch(card, placed, child.increment));
    }
    return card;
  }

  place(tree, 0, 0);
  return {
    cards,
    branches,
    width: widest.root + depth * (gap + leaf),
    height: extent(tree, true),
  };
}

function branch(parent: PlacedCard, child: PlacedCard, increment: number): PlacedBranch {
  const x1 = parent.x + parent.width;
  const y1 = parent.y + parent.height / 2;
  const x2 = child.x;
  const y2 = child.y + child.height / 2;
  // The branch bends in its first part and then runs level, so that its word has a line to stand on.
  const level = x1 + Math.min(44, (x2 - x1) * 0.4);
  const middle = (x1 + level) / 2;
  const width = thickness(increment);
  return {
    from: parent.recordId,
    to: child.recordId,
    path: `M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${level} ${y2}H${x2}`,
    thickness: width,
    labelX: x2 - 8,
    labelY: y2 - width / 2 - 5,
  };
}

function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
