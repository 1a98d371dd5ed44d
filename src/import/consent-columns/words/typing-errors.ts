// Finds typing errors in words about opt-outs and agreement: `Unsbuscribed`, `Opt-uot`, `Newletter`. A word with one
// error is read like the correct word. Of short words only the listed errors count, because most words that differ by
// one letter from a short word are other words.

import { memoize } from '../../../base/lib/memoize.ts';

/** Words that say that a person opted out, must not be mailed, or can't be reached. */
const LEAVING = [
  'unsubscribe unsubscribed unsubscribes unsubscriber unsubscription opted_out',
  'do_not_contact do_not_email do_not_mail dont_contact dont_email bounced complained complaint spam_complaint',
  'suppressed suppression blacklist blacklisted blocklist blocklisted denylist undeliverable undelivered deceased',
  'abgemeldet abmeldung abbestellt abbestellung ausgetragen widerrufen widerspruch verstorben gesperrt unzustellbar',
  'desabonne desabonnee desabonnement desinscrit desinscrite desinscription dado_de_baja desuscrito desuscrita',
  'disiscritto disiscritta disiscrizione descadastrado descadastrada uitgeschreven afgemeld avregistrerad',
  'leiratkozott dezabonat unconfirmed',
];

/** Words in headers about agreement to mail. */
const AGREEING = [
  'subscribed subscription newsletter newsletters consent permission marketing einwilligung zustimmung angemeldet',
  'abonniert consentement consentimiento consenso boletin nieuwsbrief nyhetsbrev nyhedsbrev',
];

// Errors in `opt out` and `opt in`: two letters swapped, one missing, or one doubled.
const ERRORS_IN_OPT_OUT = 'otpout opotut optuot optotu opout optut optou opptout opttout optoout optouut optoutt';
const ERRORS_IN_OPT_IN = 'otpin opitn optni opptin opttin optiin optinn';

// Correct words that are similar to a word of LEAVING or AGREEING. For example, `bounded` is not a misspelled
// `bounced`.
const RIGHT_WORDS = new Set(
  (
    'subscribe unsubscribers compliant compliants complain complaints complains complainer suppresses suppressions ' +
    'decreased deceases bounded bounding pounced jounced bouncer bounce bounces ' +
    'backlist backlisted clocklist content contents convent consents concent conserved angemeldete abgestellt ' +
    'aufgetragen abmeldungen anmeldung anmeldungen zumeldung widersprach permissions remission marketings markering ' +
    'desuscritos inscription subscriber subscribers subscribes subscriptions bestellt zustimmungen consensos ' +
    'adopted_out ausgetrage eingetragen gestattet gespart abonnierte abonnieren verdorben descrito nieuwsbrieven'
  )
    .split(' ')
    .map((word) => word.replaceAll('_', '')),
);

/** The correct words, grouped by their first letter. */
type Targets = ReadonlyMap<string, readonly Target[]>;

interface Target {
  /** The words without blanks, for comparing. */
  readonly bare: string;
  readonly words: string;
}

// Frequent errors. They are targets too, so that a second error in such a word is found.
const FREQUENT_ERRORS = 'unsuscribed unsuscribe unsubcribed unsubcribe unsubscibed unsubscribtion unsubsribed';

const LEAVING_TARGETS = [
  ...targetsOf(LEAVING),
  ...FREQUENT_ERRORS.split(' ').map((bare) => ({ bare, words: 'unsubscribed' })),
];
const AGREEING_TARGETS = targetsOf(AGREEING);
const KNOWN = new Set([...targetsOf(LEAVING), ...AGREEING_TARGETS].map(({ bare }) => bare));
const [LEAVING_WORDS, ALL_WORDS] = [
  byFirstLetter(LEAVING_TARGETS),
  byFirstLetter([...LEAVING_TARGETS, ...AGREEING_TARGETS]),
];
const ERRORS_IN_OPT = new Map([
  // `agemeldet` can be an error in `abgemeldet` (opted out) or in `angemeldet` (opted in).
  ['agemeldet', 'opt in or opt out'] as const,
  ...ERRORS_IN_OPT_OUT.split(' ').map((error) => [error, 'opt out'] as const),
  ...ERRORS_IN_OPT_IN.split(' ').map((error) => [error, 'opt in'] as const),
]);

function targetsOf(lines: readonly string[]): readonly Target[] {
  return lines.flatMap((line) =>
    line.split(' ').map((word) => ({ bare: word.replaceAll('_', ''), words: word.replaceAll('_', ' ') })),
  );
}

function byFirstLetter(targets: readonly Target[]): Targets {
  return Map.groupBy(targets, ({ bare }) => bare[0] as string);
}

const MAX_WORDS = 6;
const MAX_JOINED_WORDS = 3;
const [SHORTEST, LONGEST] = [5, 17];

/** The words with each misspelled word corrected. Undefined if none is misspelled. */
export function correctWords(words: string): string | undefined {
  return correctedBy(words, ALL_WORDS);
}

/**
 * True if the words contain a misspelled opt-out word: `newsletter unsbuscribed`. Cached, because the same tags occur
 * in many rows.
 */
export const holdsMisspelledOptOut = memoize((words: string): boolean => {
  const corrected = correctedBy(words, LEAVING_WORDS);
  return corrected !== undefined && !/^(?:.* )?opt in(?: |$)/u.test(corrected);
});

function correctedBy(words: string, targets: Targets): string | undefined {
  const parts = words.split(' ');
  if (parts.length > MAX_WORDS || words.length < SHORTEST) {
    return undefined;
  }
  for (let count = MAX_JOINED_WORDS; count > 0; count--) {
    for (let from = 0; from + count <= parts.length; from++) {
      const right = rightWord(parts.slice(from, from + count).join(''), targets);
      if (right !== undefined) {
        const corrected = parts.toSpliced(from, count, right).join(' ');
        return correctedBy(corrected, targets) ?? corrected;
      }
    }
  }
  return undefined;
}

function rightWord(word: string, targets: Targets): string | undefined {
  if (word.length < SHORTEST || word.length > LONGEST || KNOWN.has(word) || RIGHT_WORDS.has(word)) {
    return undefined;
  }
  const find = (first: string) =>
    targets.get(first)?.find(({ bare }) => word === bare || isTypingError(word, bare))?.words;
  return ERRORS_IN_OPT.get(word) ?? find(word[0] as string) ?? find(word[1] as string);
}

// True if a word differs from the right word by one letter: it is wrong, missing, added, or swapped with its neighbor.
// The first letter must be right, or swapped with the second.
function isTypingError(word: string, right: string): boolean {
  const longer = word.length - right.length;
  if (longer > 1 || longer < -1 || (word[0] !== right[0] && word[0] !== right[1])) {
    return false;
  }
  let position = 0;
  while (position < word.length && word[position] === right[position]) {
    position++;
  }
  const [rest, wanted] = [word.slice(position), right.slice(position)];
  const isSwapped = rest[0] === wanted[1] && rest[1] === wanted[0] && rest.slice(2) === wanted.slice(2);
  const isOther = rest.slice(1) === wanted.slice(1) || rest.slice(1) === wanted || rest === wanted.slice(1);
  return isSwapped || (position > 0 && isOther);
}
