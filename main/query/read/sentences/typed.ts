/** "I want 2 see u", "this is 4 you": figures that are typed for the words they sound like. */
export function isTyped(text: string, at: number, figure: string): boolean {
  if (figure !== "2" && figure !== "4") return false;
  const [before, after] = [text.slice(Math.max(0, at - 24), at), text.slice(at + 1, at + 24)];
  // "Got 2 hives" counts them.
  const verb = /^\s\p{Ll}+/u.exec(after)?.[0] ?? "s";
  const many = /s$|^\s(?:people|children|men|women)$/u.test(verb);
  return typedBefore.test(after) || (figure === "2" && typedAfter.test(before) && !many);
}
const typedBefore =
  /^\s(?:u|ur|me|you|your|my|mine|us|our|him|his|her|them|their|it|its|this|that|the|a|an|be|see|c|get|go|do|have|make|keep|take|help|know|hear|say|show|try|talk|give|find|come|let|everyone|all of|sure|now)(?!\p{L})/iu;
const typedAfter =
  /(?<!\p{L})(?:want|wanna|wanted|need|needs|needed|able|going|have|has|had|got|try|trying|like|love|used|glad|happy|sad|great|nice|good|hard|tough|easy|fun|cool|ready|way|how|where|what|time|listen|talk|talking|back|up|close|next|welcome|thx|thanks|due|according)\s$/iu;
