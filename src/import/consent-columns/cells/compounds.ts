import { COMPLAINED_WORDS, SUPPRESSED_WORDS, UNUSED_RECORD_WORDS } from '../headers/header-words.ts';
import { mentionsEnd } from '../words/end-words.ts';
import { wordsOf } from '../words/plain-words.ts';

// Finds compound words with a part that looks like a no or an end: `non-profit newsletter`, `No. 5`, `stop-motion`,
// `Pas-de-Calais`. Such a part does not refuse mail.

// Matches a no before a hyphen and what follows the hyphen, as in `non-profit`.
const HYPHENATED =
  /(?<![\p{L}\p{N}_.‐‑-])(?:non|no|not|never|nicht|sans|sin|sem|senza|ohne|zonder|bez|keine?|geen)[-‐‑]([\p{L}\p{N}][\p{L}\p{N}'’]*(?:[-‐‑][\p{L}\p{N}]+)*)/giu;

/**
 * Words for messages that do not say `mail`, such as `campaign` and `updates`, as alternatives of a regular expression.
 */
export const MESSAGE_WORDS =
  'e?blasts?|mkt|mktg|notices?|reklame|newsl\\w*|bulk|campaigns?|comms?|communications?|digests?|promos?|promotions?|offers?|outreach|appeals?|messages?|broadcasts?|edms?|correspondence|updates?|announcements?|invites?|invitations?|solicit\\w*|e?zines?|news|letters?|dailies|weekl(?:y|ies)|monthl(?:y|ies)|disturb\\w*|bother|subs?|kampagnen?|angebote?|aktionen|rundschreiben|mitteilung(?:en)?|nachrichten|infos?|offres?|campagnes?|informations?|ofertas?|promociones|campanas?|novedades|offerte|promozioni|comunicazioni|aanbiedingen|berichten|kampanjer?|erbjudanden|tilbud|oferty';

// Matches words that really are refused by a "no" before a hyphen: `no-mail`, `non-consent`, `non-subscriber`.
const REFUSED =
  /mail|mejl|post|news|nl(?= |$)|market|werb|reklam|reclam|pub(?= |$)|spam|advert|promo|send|contact|kontakt|list|opt|sub|consen|consin|permi|einwillig|zustimm|abo|inscri|iscri|suscri|confirm|bestat|activ|actif|aktiv|valid|interes|thank|danke|merci|grazie|gracias|obrigad|bedankt|more|longer|mehr|again|deliver|renew|want|wish|gdpr|dsgvo|rgpd|^\d|^(?:member|mitglied|client|customer|kunde)s?$/u;
const REFUSED_MESSAGES = new RegExp(`(?:^| )(?:${MESSAGE_WORDS})(?= |$)`, 'u');

// Matches a number after `No.`, but no date: `No 1 fans`, `newsletter no. 5`.
const NUMBER_AFTER_NO = /\b(?:no|nr)(?:\.\s?|\s)#?\d{1,3}(?![\d./:-])/giu;

// Matches names with a part that looks like a no or an end: `no man's land`, `left bank`.
const NAMES_LIKE_REFUSALS = new RegExp(
  `(?<![\\p{L}\\p{N}])(?:${[
    'non[ -]?(?:profits?|stop|eu|uk|us|food|fiction|alcoholic|smokers?|smoking|dairy|vegans?|binary|medical|technical|native|english|speaking|residents?|executives?|league|academic|commercial|governmental|formal|credit|voyants?|fumeurs?|violen\\w+|fungible|standard|toxic)',
    'not[ -]for[ -]profit|no[ -](?:code|waste|sugar|kill|drama|limits?|reply|show)|no man.?s land|unlimited|never[ -](?:mind|land|ending|stop \\w+ing)|don.?t (?:panic|worry|miss out|look back)',
    'stop[ -](?:motion|smoking|shop|press|gap|over|watch|animation)|(?:bus|pit|full|one|non|back|truck)[ -]?stops?',
    'left[ -](?:bank|wing\\w*|hand\\w*|field|foot|overs?|coast)|dead[ -](?:sea|poets?|pool|lines?|lift\\w*|wood)|off[ -](?:site|road\\w*|grid|line|piste|season|peak|shore|spring|duty|campus|leash|market|plan|trail|topic|shelf|broadway|white|beat|key)',
    'ex[ -]?(?:pats?|patriates?|libris|works|situ)|lost (?:boys?|places?|generation|and found)|gone (?:fishing|girl|wild)|quit smoking|drop[ -](?:in|shipping)|take[ -](?:away|that)|banned books',
    'anti[ -]?spam\\w*|bouncy castles?|junk (?:food|yard|journals?)|(?:substance|drug|alcohol|child|elder|domestic|sexual) abuse|abuse (?:prevention|awareness|support|survivors?)|cuarenta',
    'pas[ -]de[ -](?:calais|deux)|sans[ -](?:abris?|papiers?|fronti\\S+|souci|serif)|sin city|nu[ -](?:skin|metal|jazz|disco)',
  ].join('|')})(?![\\p{L}\\p{N}])`,
  'giu',
);

// A quick test: each compound has a hyphen or one of these words.
const MAY_HOLD_COMPOUND =
  /[-‐‑]|\b(?:no|nr|non|not|never|un|nonstop|don|dont|stop|stops|left|dead|off|ex|expats?|anti|antispam\w*|bouncy|junk|abuse|cuarenta|lost|gone|quit|drop|take|banned|pas|sans|sin|nu|backstop)|limited/i;

/** Like `wordsOf`, but without parts of compounds that only look like a no or an end: `non` in `non-profit`. */
export function plainWordsOf(text: string): string {
  return wordsOf(withoutCompounds(text));
}

/** A text without the parts of compounds that only look like a no or an end: `non` in `non-profit`. */
export function withoutCompounds(text: string): string {
  return MAY_HOLD_COMPOUND.test(text)
    ? text
        .replace(NAMES_LIKE_REFUSALS, ' ')
        .replace(NUMBER_AFTER_NO, ' ')
        .replace(HYPHENATED, (whole, rest: string) => (isRefused(wordsOf(rest)) ? whole : ` ${rest}`))
    : text;
}

// True for words that a "no" before a hyphen really negates: `mail` in `no-mail`, `left` in `not-left`, `junk` in
// `not-junk`.
function isRefused(words: string): boolean {
  return (
    mentionsEnd(words) ||
    [REFUSED, REFUSED_MESSAGES, COMPLAINED_WORDS, SUPPRESSED_WORDS, UNUSED_RECORD_WORDS].some((no) => no.test(words))
  );
}
