import { compileWords } from '../words/word-patterns.ts';

// Notes in which an opt-out may not hold: it never happened, the person came back, or only a contract ended. svc asks
// about them. Each line has one language or a few related ones.

const OPT_OUT =
  'unsub\\p{L}*|opt(?:ed|ing)? ?out|remov\\p{L}*|abgemeld\\p{L}*|abmeld\\p{L}*|abbestell\\p{L}*|ausgetrag\\p{L}*|austragen|gekundigt|kundigen|widerrufen|desabon\\p{L}*|d?esinscri\\p{L}*|baja|desuscri\\p{L}*|disiscri\\p{L}*|cancell\\p{L}*|descadastr\\p{L}*|afgemeld|afmelden|uitgeschreven|uitschrijven|wypis\\p{L}*|avregistrer\\p{L}*|avanmal\\p{L}*|frameld\\p{L}*|afmeld\\p{L}*|avmeld\\p{L}*|odhlas\\p{L}*|leiratkoz\\p{L}*|dezabon\\p{L}*|отпис\\p{L}*';
const NO =
  'never|not|(?:do|does|did|has|have|had|is|was|would)nt|nie|niemals|nicht|jamais|pas|nunca|no|mai|non|nooit|niet|nao|aldrig|aldri|inte|ikke|ej|nigdy|nikdy|ne|nem|nu|не|никогда';
// Words that can stand between the "no" and the opt-out.
const BETWEEN =
  'to|be|been|being|get|yet|ever|really|want|wants|wanted|wish|wishes|like|has|have|had|sich|er|sie|werden|wird|wurde|mochte|will|se|sest|s|est|etre|veut|souhaite|ser|esta|dado|dada|darse|de|la|dar|essere|vuole|stato|stata|heeft|zich|wil|worden|is|er|quer|foi|har|blivit|vil|vill|by|sie|si|sa';
const DENIED = compileWords(`(?:^| )(?:${NO})(?: (?:${BETWEEN})){0,4} (?:${OPT_OUT})(?= |$)`);
// Matches words that say that the person came back, or that the opt-out was a mistake.
const RETURNED = compileWords(
  [
    '(?:^| )(?:re ?(?:subscrib|join|activat|instat|enroll?|register|opted)\\p{L}*|resub\\p{L}*|(?:subscribed|signed up|opted in|joined|registered|added)(?: back)?(?: in| on)? again|(?:opted|signed|came|is|are|be|added|put)(?: me| him| her| them)? back(?: in| on| up)?|back on(?: the| our)? list|by mistake|by accident|accidentally|mistakenly|in error|undone?)(?= |$)',
    '(?:^| )(?:(?:wieder|erneut|neu|nochmal)(?: \\S+)? (?:angemeldet|abonniert|eingetragen|abgeschlossen|beigetreten|eingetreten|aufgenommen|aktiviert|dabei|da|mitglied)|wieder(?:angemeldet|eingetreten|aufgenommen)|versehentlich|aus versehen|irrtumlich)(?= |$)',
    '(?:^| )(?:re ?abonn\\p{L}*|re ?inscri\\p{L}*|de nouveau (?:abonn|inscri)\\p{L}*|par erreur|(?:otra vez|de nuevo) (?:suscri|alta|dado|dada)\\p{L}*|re ?suscri\\p{L}*|re ?inscrit\\p{L}*|por error|por engano|(?:di nuovo|nuovamente) iscri\\p{L}*|re ?iscri\\p{L}*|per errore)(?= |$)',
    '(?:^| )(?:(?:opnieuw|weer|terug) (?:aangemeld|ingeschreven|geabonneerd|lid)|herinschr\\p{L}*|per ongeluk|ponownie \\S+|przez pomylke|(?:anmald|tilmeldt|pameldt|prenumererar) igen|igen (?:anmald|tilmeldt)|pa nytt|av misstag|ved en feil|ved en fejl|znovu \\S+|omylem|ujra \\S+|снова \\S+|повторно \\S+|по ошибке|vahingossa|yanlislikla)(?= |$)',
  ].join('|'),
);
// Contracts and other things that a person can end without leaving a list: `Vertrag gekündigt`, `cancelled her lease`.
const CONTRACT =
  '(?:\\p{L}*vertrag\\p{L}*|\\p{L}*versicherung\\p{L}*|wohnung|job|arbeitsstelle|konto|kredit\\p{L}*|contracts?|leases?|tenancy|insurance|policy|loan|rental|contrats?|bail|assurance|contratos?|seguro|alquiler|contratt[oi]|affitto|contracten|huur\\p{L}*|verzekering|umow\\p{L}*|avtal\\p{L}*|kontrakt\\p{L}*|smlouv\\p{L}*|szerzodes\\p{L}*|договор\\p{L}*)';
const ENDED =
  '(?:gekundigt|kundigt|beendet|widerrufen|storniert|cancel\\p{L}*|terminat\\p{L}*|withdr\\p{L}*|resili\\p{L}*|annul\\p{L}*|anul\\p{L}*|rescind\\p{L}*|disdett\\p{L}*|opgezegd|wypowiedzian\\p{L}*|uppsagt?|oppsagt|opsagt|расторг\\p{L}*)';
const CONTRACT_ENDED = compileWords(
  `(?:^| )${CONTRACT}(?: \\S+){0,3} ${ENDED}(?= |$)|(?:^| )${ENDED}(?: \\S+){0,2} ${CONTRACT}(?= |$)`,
);

/**
 * True for the words of a note in which an opt-out may not hold: `never unsubscribed`, `re-subscribed after
 * unsubscribing`, `Vertrag gekündigt`.
 */
export function mayBeUndone(words: string): boolean {
  return DENIED.test(words) || RETURNED.test(words) || CONTRACT_ENDED.test(words);
}
