import { plainWordsOf } from '../cells/compounds.ts';
import { withoutBlanks, wordsOf } from '../words/plain-words.ts';
import { compileWords, containsStem, wordStartPattern } from '../words/word-patterns.ts';
import { contradictsItself, mayMeanOptOut } from './contrary-headers.ts';
import { MEANINGS_OF_AGREEMENT, type Meaning } from './header-reading.ts';
import { AGREEMENT_STEMS, CELLS_MAY_NAME_LISTS } from './header-words.ts';
import { endsOptOut, withoutNegation } from './negative-headers.ts';
import { readHeader } from './read-header.ts';

/**
 * What the dates in a column mean. `optedOut`: people opted out, were stopped or may have left. `agreed`: people agreed
 * or confirmed. `unclear`: svc can't know it.
 */
export type DateMeaning = 'optedOut' | 'agreed' | 'unclear';

/**
 * The meaning of a column of dates, by its header and the headers of its table. If it is `agreed` (`doi_at`,
 * `Confirmed`), a person with a blank may never have confirmed. The day of an end is never an agreement.
 */
export function dateMeaning(header = '', beside: readonly string[] = []): DateMeaning {
  const words = wordsOf(header);
  if (namesEndOfMembership(header)) {
    return 'unclear';
  }
  const reading = readHeader(header);
  if (
    mayMeanOptOut(header) ||
    contradictsItself(words) ||
    (reading && MEANINGS_OF_OPT_OUT_DATES.has(reading.meaning))
  ) {
    return 'optedOut';
  }
  if (namesEnd(words, beside)) {
    return 'unclear';
  }
  return CONFIRMATION_WORDS.test(words) || (reading && MEANINGS_OF_AGREEMENT.has(reading.meaning))
    ? 'agreed'
    : 'unclear';
}

/** True if a date under the header may be the day of an opt-out, a bounce or a complaint. */
export function meansOptOut(header: string | undefined): boolean {
  return dateMeaning(header) === 'optedOut';
}

/**
 * True if a date under the header is the day of an opt-out. False if the header says the opposite, or that the opt-out
 * ended: `Never bounced`, `Not left`, `Opted back in`, `Ban lifted`.
 */
export function namesOptOutDate(header = ''): boolean {
  const words = plainWordsOf(header);
  const affirmed = withoutNegation(words);
  const isNegated = affirmed !== undefined && (mayMeanOptOut(affirmed) || meansOptOut(affirmed));
  return meansOptOut(header) && !endsOptOut(header) && !isNegated;
}

/** True if the dates under a header are days of an agreement or a confirmation, and not of a status change. */
export function namesConfirmation(header = ''): boolean {
  return dateMeaning(header) === 'agreed' && !STATUS_LIKE.has(readHeader(header)?.meaning ?? 'text');
}

const STATUS_LIKE: ReadonlySet<Meaning> = new Set(['active', 'status', 'channel']);
const MEANINGS_OF_OPT_OUT_DATES: ReadonlySet<Meaning> = new Set([
  'optedOut',
  'either',
  'suppressed',
  'bounced',
  'mailError',
  'complained',
  'withheld',
]);

/**
 * Matches words that mean an agreement or a confirmation above dates. Above a yes or a no they don't, because there
 * they can be about terms of use.
 */
const CONFIRMATION_WORDS =
  /\b(?:doi|coi|soi|(?:double|single|confirmed) opt|d?opt(?:ed)? ?in|verif\w*|geverif\w*|confirm\w*|conferm\w*|bestat\w*|bestaet\w*|bevestig\w*|bekraft\w*|bekraeft\w*|potwierdz\w*|agree[ds]?|agreement|accept\w*|aceit\w*|acept\w*|accett\w*|approv\w*|validated|consent\w*|permission|zustimm\w*|zugestimmt|einwillig\w*|activat\w*|aktivier\w*|freigeschaltet|gdpr|dsgvo|rgpd)\b/u;

/**
 * True for a header such as `Mitglied bis` or `Membership end`. A person whose day has passed may have left.
 * `migrate/checks/consent-ends.ts` compares the days with today.
 */
function namesEndOfMembership(header: string): boolean {
  const words = wordsOf(header);
  return (MEMBERSHIP.test(words) && END_OF_TERM.test(words)) || LAPSE_DATE.test(words);
}

/**
 * What may end on the days in a column: the consent to mail, a membership, something that the header does not name
 * (`End date`), or the validity of something. Undefined for a column about anything else.
 */
export type EndOfConsent = 'consent' | 'membership' | 'unnamed' | 'validity';

/** What ends under the header. `beside` has the headers of the table: `Consent to` is an end beside `Consent from`. */
export function endOfConsent(header: string, beside: readonly string[]): EndOfConsent | undefined {
  if (namesEndOfConsent(header, beside)) {
    return 'consent';
  }
  if (namesEndOfMembership(header)) {
    return 'membership';
  }
  return BARE_END.test(wordsOf(header)) ? 'unnamed' : namesEndOfValidity(header, beside) ? 'validity' : undefined;
}

/**
 * True for a header such as `Membership end` or `End date`. Some of its days may still come, so a day alone is no
 * opt-out.
 */
export function mayEndLater(header: string): boolean {
  return namesEndOfMembership(header) || BARE_END.test(wordsOf(header));
}

/** True for the words of a header about a membership, but not about its last day: `Membership status`. */
export function namesMembership(words: string): boolean {
  return MEMBERSHIP.test(words) && !END_OF_TERM.test(words);
}

const MEMBERSHIP = wordStartPattern(
  'member mitglied adhesion dadhesion ladhesion adherent dadherent socio(?=_|$) socia(?=_|$) membresia afiliacion associad lid(?=_|$) lidmaatschap medlem czlonkost czlonek(?=_|$) jasenyy jasen(?=_|$) clenstv clen(?=_|$) tagsag uyelik uye(?=_|$) 会員 会员 會員 회원',
);
// Words for a day that may still come. `Membership ended` has no such word: its day has passed, so it is an opt-out.
const END_OF_TERM = wordStartPattern(
  'until(?=_|$) till(?=_|$) end(?=_|$) ends(?=_|$) expir lapses?(?=_|$) bis(?=_|$) ende(?=_|$) endet(?=_|$) enddat ablauf lauft_ab jusqu fin(?=_|$) hasta(?=_|$) caduc vence vencimiento scad fino(?=_|$) fine(?=_|$) fim(?=_|$) validade tot(?=_|$) einde(?=_|$) eind(?=_|$) einddat verloopt slut utgar udlob utlop koniec konec waznos paatty bitis',
);
const LAPSE_DATE =
  /^lapse date$|^(?:mitgliedschaft|mitglied)s?(?:ende|enddatum|ablauf)$|^lidmaatschapseinde$|^medlemskaps?slut$/u;

/**
 * True for a header such as `Consent valid until`. `migrate/checks/consent-ends.ts` compares its days with today,
 * because the survey reads no clock.
 */
export function namesEndOfConsent(header: string, beside: readonly string[]): boolean {
  const words = wordsOf(header);
  const isPaid = CELLS_MAY_NAME_LISTS.test(withoutBlanks(words)) && !CLEARLY_MAIL.test(words);
  return namesEnd(words, beside) && containsStem(AGREEMENT_STEMS, words) && !isPaid;
}

// True for header words that name the last day of something. False for `Year-end newsletter`: its `end` is no day.
function namesEnd(words: string, beside: readonly string[]): boolean {
  return (
    END_OF_PERIOD.test(words) || END_DATE.test(words.replace(ENDS_WITHOUT_DAY, ' ')) || closesPeriod(words, beside)
  );
}

// True for `Consent to` if `Consent from` stands beside it.
function closesPeriod(words: string, beside: readonly string[]): boolean {
  return LAST_AND_FIRST_DAY.some(([last, first]) => {
    const stem = last?.exec(words)?.[1];
    return stem !== undefined && beside.some((other) => first?.exec(wordsOf(other))?.[1] === stem);
  });
}

// Words for the last and the first day, by language. `au` and `de` are no pair: `Newsletter AU` names a country.
const LAST_AND_FIRST_DAY =
  'to|thru|through from|since|start|begin, bis von|vom|ab|seit, au du, al|hasta|fino|ate del|dal|desde, tot van|vanaf, do|til od|fra'
    .split(', ')
    .map((pair) => pair.split(' ').map((words) => new RegExp(`^(.+) (?:${words})$`, 'u')));

// True for `Valid until` and `Until`: the consent to mail may end on that day too.
function namesEndOfValidity(header: string, beside: readonly string[]): boolean {
  const words = wordsOf(header);
  return BARE_UNTIL.test(words) || (namesEnd(words, beside) && VALIDITY.test(words) && !VALID_THINGS.test(words));
}

// Matches the last day of anything, such as a stay: `Until`, `Bis`.
const BARE_UNTIL = /^(?:until|till|bis|jusqu(?: ?au?)?|hasta|fino(?: al?)?|ate|tot|indtil)$/u;

// Matches a header that does not say what ends: `End date`, `Fin`, `Einddatum`, `Active until`.
const BARE_END = compileWords(
  [
    '^(?:(?:date|datum|data|dato|fecha|dag|day) )?(?:(?:of|de|di|da|do|van) )?(?:ends?|endet?|fin|fine|fim|einde?|konec|koniec|konca|zakonczenia|slutt?|finalizacion|termino|terminacion|bitis|paattymis|loppu|vege|kraj|sfarsit) ?(?:on|am|le|el|op|date|datum|dato|tarihi|dag|pvm|paiva)?$',
    '^(?:active?|aktiv|actif|activ[oa]|attiv[oa]|ativ[oa]|actief|aktywn[ya]|aktivni|member|mitglied|medlem|lid|soci[oa]) (?:until|till|to|bis|jusqu(?: ?au?| ?en)?|hasta|fino(?: al?)?|ate|tot|do|til|indtil)$',
    '^дата окончания$|^(?:終了|结束|結束)(?:日期?)?$|^종료 ?일?$|^(?:ημερομηνια )?ληξη[ς]?$',
  ].join('|'),
);

const VALIDITY = /\b(?:valid\w*|gultig|geldig|giltig\w*|gyldig\w*)\b/u;
const VALID_THINGS =
  /card|karte|tarjeta|carte|visa|passport|ausweis|licen[cs]e|insurance|coupon|voucher|ticket|password|offer|price/u;

// Matches a word for a newsletter or a consent. Any other subscription that ends may be a paid one.
const CLEARLY_MAIL =
  /(?:^| )(?:newsletter|nl|mailing|nieuwsbrief|boletin|rundbrief|consen|einwillig|permission|zgod[ay]|souhlas)/u;

// Matches words for the end of a period, such as `until` and `expires`.
const END_OF_PERIOD =
  /\b(?:until|till|expir\w*|gultig bis|bis|lauft ab|ablauf\w*|jusqu\w*|hasta|caduc\w*|scad\w*|fino|validade|verloopt|geldig tot|wazn\w*|utgar|udlob\w*|utlop\w*|vyprsi|lejar\w*)(?= |$)|(?:^| )(?:деиств\p{L}* до|срок деиств\p{L}*)(?= |$)/u;

// Matches the word "end" where it names a day: `Consent end date`, `Ende der Einwilligung`, `Data fine consenso`.
const END =
  '(?:ends?|endet?|ending|fine?|fim|fins|finalizacion|termino|einde?|eindigt|slutt?|slutar|koniec|konca|zakonczenia|konec|konce|ukonceni|paattymis|bitis|vege|kraj|sfarsit)';
const DAY = '(?:dates?|day|time|datum|data|dato|dag|fecha|tarihi|pvm)';
// Words that name a day even alone: `Consent end`. `fin` and `kraj` are left out, because they may be a country.
const BARE_END_WORD = '(?:ends?|endet?|ending|einde|koniec|konec)';
const END_DATE = compileWords(
  `(?:^| )(?:${BARE_END_WORD}|${END} (?:on|at|am|le|el|il|em|op|den|${DAY}))(?: c)?$|(?:^| )(?:${DAY} (?:(?:of|de|di|da|do|du|van|der|des) )?${END}|${END} ${DAY})(?= |$)|^${END} (?:(?:of|de|del|della|dello|di|do|da|du|des|der|van|af|av) |consen|einwill|permi|zgod|souhlas|samtyk)|(?:^| )(?:enddat|einddat|slutt?dat|slutt?dag|valid (?:to|thru|through)$|(?:einwilligung|zustimmung|newsletter|abo|erlaubnis)s?ende(?: |$))`,
);
const ENDS_WITHOUT_DAY =
  /(?:^| )(?:(?:year|month|week|quarter|season|high|low|front|back|backend|book|dead|tail|south|north|east|west) end|fin de (?:semana|ano|mes|curso)|fin (?:dannee|de semaine)|fim de (?:semana|ano)|fine (?:settimana|anno))(?= |$)/u;
