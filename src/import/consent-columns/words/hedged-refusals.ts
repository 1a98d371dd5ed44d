// Answers that are no clear yes. Polite refusals, and those that end something: `rather not`, `leider nein`, `not any
// more`. Each is a "no" with nothing but words that soften or date it, so no list of phrases is needed. And vague
// answers: `maybe later`.
// Each line has one language or a few related ones.

import { compileWords } from './word-patterns.ts';

/** Words for "no" and "not" that `hasNegation` does not know. In a longer note they are too common to deny anything. */
export const FURTHER_NEGATIONS = 'aucune?|nessun[oa]?|ningun[oa]?|nenhuma?|inget|ingen|inga|nem|degil|οχι';
const NO = `${FURTHER_NEGATIONS}|no|not|nope|nah|nein|nicht|non|pas|nee|niet|nie|nao|ne|nej|inte|ej|ikke|nei|ei|en|нет|не|ні|nu|hayir|none|nothing|keine?|nichts|rien|nada|niente|geen|niets|zadn[aey]|nic|intet`;
const SOFTENING = [
  'i|i am|im|id|ill|i would|i d|we|we d|would|rather|really|prefer|preferably|prefer to|better|best|actually|probably|unfortunately|sadly|sorry|afraid|thanks|thank you|but|for me|for us|to|so much|now|right now|just now|for now|at the moment|at present|at this time|at this point|currently|say|any ?more|any longer|longer|again|please',
  'ich|wir|lieber|eher|leider|wirklich|bitte|besser|mochte|danke|aber|momentan|derzeit|vorerst|im moment|zur zeit|jetzt|gerade|fur mich|mehr|langer',
  'je|nous|plutot|vraiment|malheureusement|helas|prefere|preferons|prefererais|aimerais mieux|que|mieux|desolee?|tellement|merci|pour le moment|pour l ?instant|en fait|maintenant|ne|plus|svp',
  'mejor|prefiero|preferimos|preferiria|que|realmente|mucho|la verdad|en realidad|lamentablemente|lo siento|por ahora|de momento|gracias|ahora|ya|mas|por favor|mais|ja|melhor|prefiro|preferia|infelizmente|na verdade|por enquanto|agora|obrigad[oa]|muito|desculpe',
  'meglio|di|preferisco|preferirei|preferiamo|proprio|davvero|veramente|molto|purtroppo|mi dispiace|per ora|al momento|grazie|piu|per favore|liever|meer|echt|helaas|eigenlijk|ik|zo|nu|op dit moment|bedankt|voorlopig|toch',
  'raczej|wole|wolimy|wolal[a]?bym|niestety|naprawde|bardzo|na razie|teraz|dziekuje|juz|wiecej|uz|radeji|radsej|spise|skor|bohuzel|bohuzial|opravdu|moc|zatim|ted|dekuji|inkabb|sajnos|most|igazan|mai bine|prefer|din pacate|chiar|acum',
  'helst|tyvarr|egentligen|riktigt|just nu|tack|langre|mer|laengere|lengre|mere|jag|gor det|hellere|heller|desvaerre|dessverre|egentlig|virkelig|rigtig|lige nu|akkurat na|jeg|takk|tak|mieluummin|mielellani|valitettavasti|oikeastaan|nyt|kiitos|pek|maalesef|simdilik|su an',
  'καλυτερα|δυστυχως|προτιμω|μαλλον|να|προς το παρον|τωρα|πια|больше|уже|ευχαριστω|лучше|скорее|к сожалению|пожалуи|пока|сеичас|очень|особо|спасибо|краще|на жаль',
].join('|');

// At least one word softens the "no", on one side of it or on both. A French or Portuguese "no" may have two parts.
const HEDGED = compileWords(
  `^(?:(?:${SOFTENING}) )+(?:${NO})(?: (?:${NO}|${SOFTENING}))*$|^(?:${NO})(?: (?:${NO}|${SOFTENING}))*? (?:${SOFTENING})$`,
);
const HEDGED_IN_OTHER_SCRIPTS =
  /遠慮(?:し|させ|いた|する)|見送(?:り|ら)|あまり|けっこうです|婉拒|暂(?:时)?不|괜찮습니다|사양/u;
const LONGEST = 40;

/** True for a "no" that is softened: `rather not`, `not really`, `leider nein`, `je préfère pas`, `遠慮します`. */
export function isHedgedRefusal(words: string): boolean {
  return words.length <= LONGEST && (HEDGED.test(words) || HEDGED_IN_OTHER_SCRIPTS.test(words));
}

const PERHAPS =
  'maybe|perhaps|possibly|undecided|unsure|not sure|vielleicht|eventuell|evtl|unentschlossen|unentschieden|unsicher|peut etre|eventuellement|indecis[eoa]?|quizas?|tal vez|a lo mejor|forse|magari|talvez|misschien|wellicht|moze|byc moze|chyba|kanske|maske|kanskje|ehka|mozna|snad|talan|poate|belki|ισως|возможно|может быть|можливо';
const LATER =
  'later|another time|some ?day|next (?:time|year|month)|spater|irgendwann|ein andermal|nachstes (?:jahr|mal)|plus tard|un jour|mas tarde|mas adelante|otro dia|piu tardi|in seguito|mais tarde|depois|een andere keer|pozniej|senare|senere|myohemmin|pozdeji|kesobb|mai tarziu|(?:daha )?sonra|позже|потом|пізніше|αργοτερα';
const UNDECIDED =
  'ask (?:me )?(?:again )?later|(?:will )?decide later|(?:still )?thinking(?: about it)?|(?:will )?think about it|tbd|to be decided|uberlegt(?: noch)?|mal sehen|weiss (?:noch )?nicht|a voir|on verra|je ne sais pas|ya veremos|no (?:lo )?se|vedremo|non (?:lo )?so|vamos ver|nao sei|weet (?:ik )?(?:nog )?niet|zobaczymy|nie wiem|vet (?:inte|ej)|ved ikke|vet ikke';
const VAGUE = compileWords(`^(?:${PERHAPS})(?: (?:${LATER}))?$|^(?:${LATER})(?: (?:${PERHAPS}))?$|^(?:${UNDECIDED})$`);
const VAGUE_IN_OTHER_SCRIPTS =
  /^(?:検討中|考え中|たぶん|多分|後で|也许|也許|以后再说|考虑中?|아마도?|나중에|검토 ?중)$/u;

/** True for an answer that is neither yes nor no: `maybe later`, `vielleicht`, `on verra`, `検討中`. */
export function isVagueAnswer(words: string): boolean {
  return words.length <= LONGEST && (VAGUE.test(words) || VAGUE_IN_OTHER_SCRIPTS.test(words));
}
