/** The part of JSON Schema that an answer can be held to: every string and list is bounded, so every answer ends. */
export type GrammarSchema =
  | { readonly type: "object"; readonly properties: Readonly<Record<string, GrammarSchema>> }
  | { readonly type: "array"; readonly items: GrammarSchema; readonly minItems?: number; readonly maxItems: number }
  | { readonly type: "string"; readonly maxLength: number }
  | { readonly type: "boolean" }
  | { readonly enum: readonly (string | number | boolean | null)[] };

const primitives = `char ::= [^"\\\\\\x7F\\x00-\\x1F] | "\\\\" (["\\\\/bfnrt] | "u" [0-9a-fA-F]{4})
gap ::= " "?`;

/** A literal of GBNF. */
const quoted = (text: string) => `"${text.replace(/[\\"]/g, "\\$&").replace(/\n/g, "\\n")}"`;

/**
 * Grammar in llama.cpp's GBNF (grammars/README.md there) of the JSON texts of a schema: all properties, in their order, no
 * white space but single spaces, nothing after the end.
 */
export function toGbnf(schema: GrammarSchema): string {
  const rules: string[] = [];
  const rule = (body: string): string => {
    const name = `r${rules.length}`;
    rules.push(`${name} ::= ${body}`);
    return name;
  };
  const visit = (node: GrammarSchema): string => {
    if ("enum" in node) return rule(node.enum.map((value) => quoted(JSON.stringify(value))).join(" | "));
    switch (node.type) {
      case "boolean":
        return rule('"true" | "false"');
      case "string":
        return rule(`"\\"" char{0,${node.maxLength}} "\\""`);
      case "array": {
        if (node.maxItems === 0) return rule('"[]"');
        const item = visit(node.items);
        const least = node.minItems ?? 0;
        const more = `("," gap ${item}){${Math.max(0, least - 1)},${Math.max(0, node.maxItems - 1)}}`;
        const items = `${item} ${more}`;
        return rule(`"[" ${least === 0 ? `(${items})?` : items} "]"`);
      }
      case "object": {
        const members = Object.entries(node.properties).map(
          ([key, value]) => `${quoted(JSON.stringify(key))} ":" gap ${visit(value)}`,
        );
        return rule(`"{" ${members.join(' "," gap ')} "}"`);
      }
    }
  };
  const top = visit(schema);
  return `root ::= ${top}\n${rules.join("\n")}\n${primitives}\n`;
}
