// Sentences about consent, as forms and users write them into a cell. The patterns have no accents, like the words that
// they search.

import { plainWordsOf } from '../cells/compounds.ts';
import { asksToStop, hasNegation, LONGEST_TEXT, NEGATIONS, REFUSING_VERBS } from './phrases.ts';
import { wordStartPattern } from './word-patterns.ts';

const AFFIRMS =
  /^(?:yes|yep|yeah|ja|jes|oui|si|sim|tak|da|kylla|evet|ano|igen)(?: |$)|^(?:yes |ja |oui |si |sim )?(?:i |we )(?:would like|want|wish|agree|consent|accept|opt in|am happy|give|allow|confirm|authori[sz]e|subscribe|do)\b|^(?:please )?(?:sign me up|subscribe|send me|keep me|add me|send|email me|contact me)\b|^ich (?:mochte|will|stimme|willige|bin)|^je (?:souhaite|veux|accepte|consens|m abonne|desire)|^(?:quiero|deseo|acepto|autorizo|consiento|vorrei|voglio|accetto|acconsento|autorizzo|quero|aceito|desejo|ik wil|ik ga|chce|wyrazam|zgadzam|jag vill|jeg vil|haluan|я хочу|согласен|согласна)/u;
const DENIES =
  /(?:^| )(?:not|no|never|dont|don|unsubscribe|stop|nicht|kein\w*|nie|ne|pas|plus|non|nunca|nao|niet|geen|inte|ikke|ej|ei|не|нет|but)(?= |$)/u;

/** True for a sentence that agrees to mail: `Yes please`, `I consent to ...`, `Ich möchte den Newsletter`. */
export function isAgreement(text: string): boolean {
  const words = plainWordsOf(text);
  return text.length <= LONGEST_TEXT && AFFIRMS.test(words) && !DENIES.test(words) && !asksToStop(text);
}

const CONSENT_WORDS =
  'agree|consent|permission|permit|accept|authori[sz]|allow|opt in|einwillig|zustimm|stimm|akzeptier|erlaub|accord|autoris|acept|autoriz|consient|acconsent|accett|autorizz|aceit|toestemm|akkoord|zgod|zgadz|akcept|samtyck|samtykk|godkann|godkjenn|suostu|hyvaksy|souhlas|соглас';
const DENIES_CONSENT = new RegExp(
  `(?:^| )(?:${NEGATIONS})(?: \\S+){0,4}? (?:${CONSENT_WORDS})|(?:^| )(?:${CONSENT_WORDS})\\S*(?: \\S+){0,2}? (?:${NEGATIONS})(?= |$)`,
  'u',
);

const BEGINS_WITH_CONSENT = new RegExp(`^(?:\\S+ ){0,2}(?:${CONSENT_WORDS})`, 'u');

// Matches a German denial that begins like an agreement: `ich stimme der Verarbeitung meiner Daten nicht zu`.
const SPLIT_DENIAL =
  /(?:^| )(?:stimme?n?|willigen?|bin|sind)(?: \S+){0,20} (?:nicht|nie|niemals) (?:zu|ein|einverstanden)$/u;

// True for a text of any length that denies consent: `I do not give consent to ...`, `ich stimme nicht zu`.
function deniesConsent(words: string): boolean {
  const end = words.split(' ').slice(-3).join(' ');
  return (
    DENIES_CONSENT.test(words) ||
    SPLIT_DENIAL.test(words) ||
    (BEGINS_WITH_CONSENT.test(words) && hasNegation(end) && !AFFIRMS.test(words))
  );
}

// Matches words about the person's own consent or data. They never occur in the name of a list.
const OWN_DATA = new RegExp(
  `(?:^| )(?:(?:${CONSENT_WORDS})\\S*|my|their|mein\\p{L}*|mes|mis|miei|mijn|mina|mine|moich|swoich|svych|meus|minhas|mitt|mea|mele|data|daten\\p{L}*|verarbeitung|donnees|datos|dati|dados|gegevens|uppgifter|opplysninger|oplysninger|personopplysninger|personoplysninger|personuppgifter|danych|udaju|tietoj\\p{L}*|adat\\p{L}*|datelor|данных|veri(?:ler)?\\p{L}*)(?= |$)|^(?:i|ich|je|j|ik|jag|jeg|eu|yo|en|nem|nu|я) `,
  'u',
);
// Matches words that refuse, also inside a sentence that begins like an agreement: `ich bin gegen die Verarbeitung`.
const REFUSES = wordStartPattern(
  `${REFUSING_VERBS} withh withdr revok objects?(?=_|$) m?oppos den(?:y|ied|ies)(?=_|$) against(?=_|$) verweiger lehne(?=_) dagegen widerspr widerruf gegen(?=_) contre(?=_|$) contra(?=_|$) niego(?=_) nego(?=_) deneg opong oponho oppon recus refuz geweiger bezwaar tegen(?=_) vagra nekar motsatt sprzeciw proti(?=_) nem_ \\p{L}+miyor против отказ`,
);
// Matches a short text that begins with a no to consent: `cannot agree`, `nu accept`.
const BRIEF_DENIAL = new RegExp(
  `^(?:not?|non?|nem|nu|en|cannot|cant|wont|dont|unable to|je n|n) (?:\\S+ ){0,2}(?:${CONSENT_WORDS}|acord)`,
  'u',
);
// Matches a text that says how the person agreed: `Consent given on the web form`.
const CONSENT_GIVEN =
  /^(?:\S+ )?(?:consent|permission|opt in|einwilligung|zustimmung|consentement|consentimi?ento|consenso|toestemming|samtycke|samtykke|zgoda|souhlas|согласие)\S* (?:(?:was|is|has been|wurde|ist|a ete|fue|stato|er) )?(?:given|granted|obtained|confirmed|received|collected|erteilt|gegeben|liegt vor|donne|recu|obtenu|otorgad|dad|obtenid|dato|concess|rilasciat|gegeven|verkregen|udzielon|wyrazon|lamnat|givet|gitt|udelen|дано|получен)/u;
const SENTENCE_WORDS = 5;

/**
 * True for a text that refuses consent, or that is about consent or data but does not clearly agree: `I do not give
 * consent`, `I refuse consent to the use of my data`, `consent withheld`, `bin dagegen`. None of them can be the name
 * of a list.
 */
export function refusesConsent(words: string): boolean {
  const refuses = REFUSES.test(words);
  const isLong = words.split(' ', SENTENCE_WORDS).length === SENTENCE_WORDS;
  const agrees = AFFIRMS.test(words) || (CONSENT_GIVEN.test(words) && !hasNegation(words));
  const isUnclear = isLong ? OWN_DATA.test(words) && (refuses || !agrees) : refuses || BRIEF_DENIAL.test(words);
  return isUnclear || deniesConsent(words);
}
