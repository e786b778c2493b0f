/**
 * German words that are written like an English word of another meaning ("Gift", "bald"), folded as full text sees them. Which
 * one is meant is told by the sentence that they stand in, so they are not compared without one. Words that mean the same
 * in both languages ("Hand", "Winter") are none.
 */
export const homographs: ReadonlySet<string> = new Set(
  `alt alter anders angel angle arm art ast bach backe bad baden bald bar bart bat bauer bayern beere berg binde biss
   bitten blitz boot bose bot brand braun brett brief bug burger busch chef chili dame deck decke dick diele ding dom
   dose drachen eis elf elle eng ente ernst etat falter fast faust fee fell fern fest fischer form fort frei freude
   fund futter gabel gang gans gift grab gut gymnasium hack hacke hahn hai half hals halt handler handy hang hart hase
   hecke held hell helm herd herde hering herr hing hirsch horn hose huf hut island jacke jung junge kam kamen kante
   karton keller kessel kiefer kind klasse klein klinge koch kraft labor lack laden land lang lange las latte laus
   lied lila links linse loch locker log lose lowe lust made mag mahl mai mais mal mandel mann manner menge messing
   minder mine mist mode mole mond most mutter nah nase note nun oper ort pass pate pause pension pest pole preis
   probe promotion pulli rand rande rang rasen rat rate regal reh reich rein reis rest reste richter rief rind ring
   robbe roche rock rolle roller roman rosa rose rot ruder rune sache sage schneider see sog sole span spat spender
   sprang spur stahl stall star stark stein stern stift still stille stock strand stricken stuck tag tal tau teller
   tempo tier tinte tod ton tor tot tote trug turn wade wagen wal wand wange war ware warf warte watt weg weide welle
   weste wien wild wog zoll`
    .trim()
    .split(/\s+/),
);
