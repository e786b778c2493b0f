/** Whether a sentence tells a place at all, where it names none. */

const timeWord =
  "(?:\\p{L}*(?:day|tag|noon|night|morning|evening|week|weekend|month|year|moment|time|woche|monat|jahr|abend|morgen|nacht|zeit)s?|mittwoch|januar|februar|märz|april|mai|juni|juli|august|(?:sept|nov|dez|okto)\\p{L}*)(?!\\p{L})";
/** What follows "in" or "at" without being a place. */
const noPlace =
  "(?:love|fact|case|general|touch|need|order|mind|person|particular|least|all|once|first|last|any|some|that|this|it|good|due|no|record|full|short|half|\\p{L}+ing|\\d)(?!\\p{L})";
const somewhere = new RegExp(
  `(?<!\\p{L})(?:(?:to|by|through|around|an|auf|vor|aus)\\s+(?:the|an?|my|our|your|his|her|its|their|de[rmn]|das|die|eine?[rmn]?|(?:mein|dein|sein|unser|euer|ihr)\\p{L}{0,2})\\s+(?!${timeWord})\\p{L}|to\\s+(?:work|school|bed|town|sea|hospital|church|university)(?!\\p{L})|(?:in|at|near|from|behind|under|on|inside|outside|beim|bei|nach|hinter|unter|neben|im|am|zum|zur|ins|ans)\\s+(?!${timeWord})(?!${noPlace})(?!(?:the|der|dem|den)\\s+${timeWord})\\p{L}|(?:an?|the|eine?[nmr]?|die|der)\\s+(?:\\p{L}+\\s)?(?:city|town|village|country|island|lake|beach|park|restaurant|café|hotel|stadt|dorf|insel|strand)(?!\\p{L})|(?:here|there|home|upstairs|downstairs|hier|dort|daheim|zu hause|nach hause)(?!\\p{L}))`,
  "iu",
);

/** "In my shed", "zu Hause": without a name, some word of place is there. "It does not work" and "in love" tell nowhere. */
export const tellsWhere = (quote: string): boolean => somewhere.test(quote);
