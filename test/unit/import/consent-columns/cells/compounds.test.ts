import { expect, test } from 'vitest';
import { stateOfNote, stateOfTags } from '../../../../../src/import/consent-columns/cells/notes.ts';
import { readHeader } from '../../../../../src/import/consent-columns/headers/read-header.ts';
import { stateByName } from '../../../../../src/import/mapping/state/default-status.ts';
import { csv, readList } from '../../support.ts';
import { wordFor } from '../vocabulary/golden.ts';

/** Names of lists. A part of each looks like a refusal or a complaint, such as `non` in `non-profit newsletter`. */
const NAMES =
  'non-profit newsletter|Non-Profit Mailing|nonprofit newsletter|non profit newsletter|non-EU newsletter|Non-Food Newsletter|non food newsletter|Non-alcoholic mailing|nonstop newsletter|no-code newsletter|No-Waste newsletter|newsletter no. 5|No 1 fans newsletter|Newsletter Nr. 12|not-for-profit newsletter|never-ending newsletter|Never Stop Learning newsletter|Don’t panic newsletter|stop-motion newsletter|Stop smoking newsletter|One-Stop newsletter|off-site newsletter|Off-Road newsletter|ex-pats newsletter|unlimited newsletter|Left Bank newsletter|Left-handers newsletter|Dead Sea newsletter|Lost Places newsletter|Sans-abri newsletter|Sans-Papiers newsletter|Pas-de-Calais newsletter|Newsletter Pas de Calais|Sin City newsletter|Nu Skin newsletter|Ohne-Gluten newsletter|Casino newsletter|Techno newsletter|Torino newsletter|Volcano newsletter|Playoff newsletter|Resilience newsletter|Novelist newsletter|Anti-spam newsletter|Junk food newsletter|Bouncy castle newsletter|Womens pamper newsletter|Tours Pamplona newsletter|Future bots newsletter|More bottles newsletter|Core bonds newsletter|Good bites newsletter|Drug abuse newsletter'.split(
    '|',
  );
/** Compound words with a part that looks like a no or an end, each for one alternative of the source. */
const COMPOUNDS =
  'non-profits|non profit|nonstop|non-EU|non-UK|non-US|non-food|non-fiction|non-alcoholic|non-smoker|non-smokers|non-smoking|non-dairy|non-vegan|non-vegans|non-binary|non-medical|non-technical|non-native|non-English|non-speaking|non-resident|non-residents|non-executive|non-executives|non-league|non-academic|non-commercial|non-governmental|non-formal|non-credit|non-voyant|non-voyants|non-fumeur|non-fumeurs|non-violent|non-fungible|non-standard|non-toxic|not for profit|no-sugar|no-kill|no-drama|no-limit|no-limits|no-reply|no-show|no man’s land|never mind|never land|never stop knitting|dont worry|don’t miss out|don’t look back|stop-shop|stop press|stop gap|stop-over|stop-watch|stop-animation|bus stop|bus-stops|pit stop|full stop|non-stop|back-stop|truck stops|left-wing|left field|left-foot|left-overs|left coast|dead poets|dead poet|dead pool|dead-lines|dead lifts|dead-wood|off-grid|off line|off piste|off-season|off-peak|off shore|off-spring|off duty|off-campus|off-leash|off-market|off-plan|off-trail|off-topic|off-shelf|off-broadway|off-white|off-beat|off-key|ex-pat|expatriates|ex-libris|ex works|ex-situ|lost boys|lost generation|lost and found|gone fishing|gone girl|gone wild|quit smoking|drop-in|drop shipping|take-away|take that|banned books|bouncy castles|junk yard|junk journal|junk journals|substance abuse|alcohol abuse|child abuse|elder abuse|domestic abuse|sexual abuse|abuse prevention|abuse awareness|abuse support|abuse survivor|abuse survivors|cuarenta|pas de deux|sans-abris|sans papier|sans frontières|sans-souci|sans-serif|nu metal|nu-jazz|nu disco'.split(
    '|',
  );
/** Names of lists that may also be refusals. Only the user knows which. */
const OPEN =
  'Never give up newsletter|kein Plastik Newsletter|Non-members newsletter|Banned recipes newsletter|Ohne Gluten Newsletter'.split(
    '|',
  );
/** Refusals that look like the names above. */
const REFUSALS =
  'no newsletter|no-newsletter|no_newsletter|NO NEWSLETTER|No more newsletters|newsletter no|newsletter-no|nl-no|no-nl|no mail|no-mail|no e-mails|non newsletter|non-subscriber|not subscribed|non-abonné|no-thanks|not-interested|never email|stop mail|stop the newsletter|ex-newsletter|x-newsletter|pas de newsletter|plus de mails|ne veut plus de newsletter|keine Newsletter|kein Newsletter|keine weiteren Mails|geen nieuwsbrief|niet mailen|sin correos|non vuole newsletter|ingen nyhetsbrev|no marketing|résilié|newsletter-unsub|unsub newsletter'.split(
    '|',
  );

/** Words for messages, other than `mail` and `newsletter`. */
const MESSAGES =
  'eblast|eblasts|blast|blasts|mkt|mktg|notice|notices|reklame|newsl|newsletters|bulk|campaign|campaigns|comm|comms|communication|communications|digest|digests|promo|promos|promotion|promotions|offer|offers|outreach|message|messages|broadcast|broadcasts|edm|edms|correspondence|update|updates|announcement|announcements|invite|invites|invitation|invitations|soliciting|ezine|zines|news|letter|letters|dailies|weekly|weeklies|monthly|disturb|bother|sub|subs|kampagne|kampagnen|angebot|angebote|aktionen|rundschreiben|mitteilung|mitteilungen|nachrichten|info|infos|offre|offres|campagne|campagnes|information|informations|oferta|ofertas|promociones|campana|campanas|novedades|offerte|promozioni|comunicazioni|aanbiedingen|berichten|kampanje|kampanjer|erbjudanden|tilbud|oferty'.split(
    '|',
  );

/** Words that a `non` before them refuses, beside those for messages. */
const REFUSED =
  'mail|mejl|post|nl|market|werbung|reklam|reclame|pub|spam|advertising|send|contact|kontakt|list|opt|consent|consintio|permission|einwilligung|zustimmung|abo|inscrit|iscritto|suscrito|confirmed|bestatigt|active|actif|aktiv|valid|interes|thanks|danke|merci|grazie|gracias|obrigado|bedankt|more|longer|mehr|again|delivery|renewal|want|wish|gdpr|dsgvo|rgpd|2024|member|mitglied|client|customer|kunde'.split(
    '|',
  );

const stateOfTag = (tag: string) => wordFor(stateOfTags(tag));

test('reads no refusal in a tag such as "non-profit newsletter" (C10)', () => {
  expect(NAMES.map((name) => [name, stateOfTag(name)]).filter(([, state]) => state !== '-')).toEqual([]);
});

test('reads no refusal in a compound such as "non-food" (C10)', () => {
  const read = COMPOUNDS.map((name) => [
    name,
    stateOfTag(`${name} newsletter`),
    wordFor(stateOfNote(`gets the ${name} newsletter`)),
  ]);
  expect(read.filter(([, tag, note]) => tag !== '-' || note === 'unsubscribed')).toEqual([]);
});

test('asks about "non-member newsletter" or reads it as an opt-out (C10)', () => {
  const read = [...REFUSED, ...MESSAGES].map((word) => [word, stateOfTag(`non-${word} newsletter`)] as const);
  expect(read.filter(([, state]) => !['refused', 'unsubscribed'].includes(state))).toEqual([]);
  expect(['non-xyz newsletter', 'non-weaver newsletter'].map(stateOfTag)).toEqual(['-', '-']);
});

test('asks the user about a tag that may be a list name or a refusal (C10)', () => {
  expect(OPEN.map((name) => [name, stateOfTag(name)]).filter(([, state]) => state !== 'refused')).toEqual([]);
});

test('reads a tag such as "no newsletter" as a refusal, also in capitals (C10)', () => {
  const read = REFUSALS.flatMap((tag) => [tag, tag.toUpperCase()]).map((tag) => [tag, stateOfTag(tag)] as const);
  expect(read.filter(([, state]) => !['refused', 'unsubscribed', 'skipped no_consent'].includes(state))).toEqual([]);
});

test('asks about a tag such as "no updates" or reads it as an opt-out (C10)', () => {
  const tags = ['no-', 'No ', 'NO_', 'do-not-', 'Do not ', 'no more ', 'dont-'].flatMap((no) =>
    MESSAGES.map((word) => no + word),
  );
  const others = [
    'do-not-solicit',
    'do-not-disturb',
    'do-not-spam-me',
    'VIP; no blasts',
    'keine Angebote',
    'geen aanbiedingen',
  ];
  const read = [...tags, ...others].map((tag) => [tag, stateOfTag(tag)] as const);
  expect(read.filter(([, state]) => !['refused', 'unsubscribed'].includes(state))).toEqual([]);
  expect(['do-not-call', 'No call', 'no-reply', 'No offers yet', 'Digest', 'Updates'].map(stateOfTag)).toEqual(
    Array(6).fill('-'),
  );
});

test('reads no refusal in a note that names a list (C10)', () => {
  const notes = [...NAMES, ...OPEN.filter((name) => !/give|kein|Non-m/.test(name))].map((name) => `gets the ${name}`);
  expect(notes.filter((note) => wordFor(stateOfNote(note)) === 'unsubscribed')).toEqual([]);
});

test('subscribes a person with a yes in a column named after a list (C10, C6)', async () => {
  for (const header of NAMES) {
    const meaning = readHeader(header)?.meaning ?? 'agreed';
    expect([header, meaning === 'agreed' || meaning === 'text']).toEqual([header, true]);
    const list = await readList({
      'list.csv': csv('Email,Status,L', 'a@x.test,active,yes').replace(',L', `,${header}`),
    });
    expect([header, list.trouble, list.contacts]).toMatchObject([header, [], [{ email: 'a@x.test' }]]);
    expect([header, list.contacts[0]?.status]).toEqual([header, undefined]);
  }
});

test.each(OPEN)('asks the user about a yes and a no under the header %s (C10)', async (header) => {
  expect(readHeader(header)?.meaning).toBe('either');
  for (const cell of ['yes', 'no']) {
    const list = await readList({ 'list.csv': csv(`Email,Status,${header}`, `a@x.test,active,${cell}`) });
    expect([cell, list.trouble, list.contacts]).toEqual([cell, ['stop unknown_status'], []]);
  }
});

test.each([
  'No newsletter',
  'Keine Newsletter gewünscht',
  'Stop newsletter',
  'Newsletter stopped',
  'Left newsletter',
  'Removed from newsletter',
  'No bulk mailings',
  'Newsletter opt-out',
])('reads a yes under %s as an opt-out (C10)', (header) => {
  expect(readHeader(header)?.meaning).toBe('optedOut');
});

test('does not read a file name with "non-profit" as an opt-out list (C4)', () => {
  const files = NAMES.map((name) => `${name}.csv`);
  const found = files.filter((name) => stateByName({ path: name, entry: undefined, name }) !== undefined);
  expect(found).toEqual([]);
});

test.each(['Non-profit news', 'No-code weekly', 'Never Stop Learning'])(
  'reads %s in a newsletter column as the name of a list (C10)',
  async (cell) => {
    const list = await readList({ 'list.csv': csv('Email,Status,Newsletter', `a@x.test,active,${cell}`) });
    expect([list.trouble, list.contacts.length]).toEqual([[], 1]);
  },
);

test.each([
  'Womens pampering',
  'Tours Pamplona',
  'Future bots',
  'More bottles',
  'Core bonds',
  'Good bites',
  'Food bits',
])('finds no bounce or complaint in the letters of the header %s (C6, C10)', async (header) => {
  const list = await readList({ 'list.csv': csv(`Email,Status,${header}`, 'a@x.test,active,1') });
  expect([readHeader(header), list.suppressions, list.contacts.length]).toEqual([undefined, {}, 1]);
});
