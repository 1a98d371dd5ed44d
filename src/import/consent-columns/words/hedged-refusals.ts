// Answers that are no clear yes, in three groups. Softened refusals are a "no" with nothing but words that soften or
// date it: `rather not`, `leider nein`, `not any more`. So no list of such phrases is needed. Stressed refusals leave
// no doubt: `absolutely not`. Vague answers are neither yes nor no: `maybe later`.
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
// Refusals that leave no doubt: `absolutely not`, `auf keinen Fall`, `para nada`, `de jeito nenhum`.
const EMPHATIC = compileWords(
  `^(?:${[
    '(?:absolutely|definitely|certainly|strictly|hell|god|of course|surely) (?:not?|never)|(?:no|not) way|(?:no|not a) chance|(?:must|may|should|can|shall) ?not|under no circumstances|on no account|by no means|in no case|not under any circumstances|no means no',
    '(?:absolut|definitiv|ganz sicher|sicher|bestimmt|bloss|ja|um gottes willen|uberhaupt|gar|garantiert) (?:nein|nicht)|auf (?:gar )?kein(?:en)? fall|keinesfalls|keineswegs|unter keinen umstanden|nie im leben|darf nicht|soll nicht',
    '(?:absolument|certainement|surement|vraiment|surtout) (?:pas|non)|pas du tout|hors de question|en aucun cas|jamais de la vie|en aucune facon',
    'para nada|ni hablar|de ninguna (?:manera|forma)|en absoluto|bajo ningun concepto|en ningun caso|claro que no|ni loc[oa]|por supuesto que no|no debe|no (?:se )?puede',
    'assolutamente (?:no|non)|per niente|neanche per sogno|in nessun (?:caso|modo)|certo che no|proprio no|per nulla|nel modo piu assoluto|non (?:si )?(?:deve|puo)',
    '(?:absoluut|zeker|beslist|helemaal|echt) (?:niet|nee)|in geen geval|geenszins|onder geen (?:beding|voorwaarde)|mag niet',
    '(?:absolutnie|na pewno|stanowczo|zdecydowanie)(?: nie)?|nie (?:wolno|mozna)|w zadnym (?:wypadku|razie)|pod zadnym pozorem',
    'de (?:jeito|modo|maneira|forma) (?:nenhuma?|algum|alguma)|nem pensar|em hipotese alguma|nao (?:pode|deve)|claro que nao|de forma alguma|nunca na vida',
    '(?:absolut|definitivt|helt|bestemt|verkligen) (?:inte|ikke|ej)|far (?:ej|inte|ikke)|inte alls|(?:slet|overhovedet) ikke|ikke i det hele tatt|under inga omstandigheter|under ingen omstaendigheder|ma ikke|ei missaan nimessa|ehdottomasti ei|ei ikina',
    'v zadnem pripade|(?:rozhodne|urcite|vubec) ne|nesmi|v ziadnom pripade|semmi ?kepp?en|in niciun caz|kesinlikle hayir|asla',
    'ни в коем случае|ни за что|категорически (?:нет|не|против)|точно нет|нельзя|в жодному разі|σε καμια περιπτωση',
  ].join('|')})$`,
);
const EMPHATIC_IN_OTHER_SCRIPTS =
  /^(?:絶対に?(?:ダメ|だめ|不可|ng|嫌|いや)|厳禁|ng|绝对(?:不|不要|不行)|千万不要|절대 ?(?:안됨|금지|불가))$/u;
const HEDGED_IN_OTHER_SCRIPTS =
  /遠慮(?:し|させ|いた|する)|見送(?:り|ら)|あまり|けっこうです|婉拒|暂(?:时)?不|괜찮습니다|사양/u;
const LONGEST = 40;

/** True for a "no" that is softened or stressed: `rather not`, `leider nein`, `遠慮します`, `auf keinen Fall`. */
export function isHedgedRefusal(words: string): boolean {
  const patterns = [HEDGED, HEDGED_IN_OTHER_SCRIPTS, EMPHATIC, EMPHATIC_IN_OTHER_SCRIPTS];
  return words.length <= LONGEST && patterns.some((pattern) => pattern.test(words));
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
