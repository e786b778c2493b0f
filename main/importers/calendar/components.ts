import { type ContentLine, contentLines } from "../text/content-lines.ts";

/** A component of iCalendar: BEGIN:NAME … END:NAME. */
export interface Component {
  readonly name: string;
  readonly lines: ContentLine[];
  readonly children: Component[];
}

const maxDepth = 8;
/** Lines of one component; an event with more is an attack, and the rest is left out. */
const maxLines = 20_000;

/** The calendars of a file, each as soon as it ends. A missing END ends with what is around it, or with the file. */
export function* calendarsOf(bytes: Uint8Array): Generator<Component> {
  const stack: Component[] = [];
  let buried = 0;
  for (const line of contentLines(bytes)) {
    const top = stack.at(-1);
    if (line.name === "BEGIN") {
      const name = line.value.trim().toUpperCase();
      if (stack.length >= maxDepth || (top === undefined && name !== "VCALENDAR")) {
        buried++;
        continue;
      }
      const fresh: Component = { name, lines: [], children: [] };
      if (name === "VCALENDAR" && top !== undefined) {
        const [root] = stack;
        stack.length = 0;
        if (root) yield root;
      } else top?.children.push(fresh);
      stack.push(fresh);
    } else if (line.name === "END") {
      if (buried > 0) {
        buried--;
        continue;
      }
      const name = line.value.trim().toUpperCase();
      const at = stack.findLastIndex((one) => one.name === name);
      if (at < 0) continue;
      const [root] = stack;
      stack.length = at;
      if (at === 0 && root) yield root;
    } else if (top !== undefined && buried === 0 && top.lines.length < maxLines) top.lines.push(line);
  }
  const [root] = stack;
  if (root) yield root;
}

/** The first property of a name. */
export function lineOf(component: Component, name: string): ContentLine | undefined {
  return component.lines.find((line) => line.name === name);
}

/** All properties of a name. */
export function linesOf(component: Component, name: string): ContentLine[] {
  return component.lines.filter((line) => line.name === name);
}
