import { expect, test } from 'vitest';
import { csv, type ReadList, readList } from '../../support.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

const KEPT = 'ana@x.test';
const ASKED = 'bo@x.test';

/** A list of two active people with one more column. The first has a harmless cell, the second the cell to test. */
async function withNote(header: string, note: string, answers: Parameters<typeof readList>[1] = {}) {
  const quoted = `"${note.replaceAll('"', '""')}"`;
  return readList(
    { 'list.csv': csv(`Email,Status,${header}`, `${KEPT},active,VIP`, `${ASKED},active,${quoted}`) },
    answers,
  );
}

function mailedPeople({ contacts }: ReadList): readonly string[] {
  return contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
}

const DOUBTFUL = [
  'enough emails for me|leave me alone|not interested|resigned 2020|mailbox full|wrong person|right to be forgotten|newsletter off',
  'kein Interesse mehr|will nix mehr|unbekannt verzogen|Adresse falsch|verstorben|ya no quiere|fallecido|pas intéressé|décédé|à supprimer',
  'nie zainteresowany|zły adres|sem interesse|не хочет|неверный адрес|興味なし|死亡|ilgilenmiyor|iade|nemá zájem|zemřel|non interessato',
  "n'en veut plus|n’en veut pas",
  'RIP Jan 2022|dimesso 2022|dimissioni 2023|démission 2022|odszedł|wystąpił w 2021',
  'R.I.P.|R.I.P. 2021|D.N.M.|N.P.A.I.|please forget me|enough!|basta|legal hold|lehnt ab|möchte nix|Todesfall',
  'customer asked us to delete their data|has asked us to delete all her data|erase my personal information',
  'nu mai vrea|odjaviti|ne šalji|ne küldjünk|не слать|μην στέλνετε|retirer',
  'left her job|Brief zurück|Rechnung zurück|Post kam zurück|returned mail|left a while ago',
  'geen interesse|adres onjuist|inte intresserad|avliden|ei kiinnosta',
].flatMap((line) => line.split('|'));

test.each(DOUBTFUL)('asks the user about the note %j of an active person (C10)', async (note) => {
  const list = await withNote('Notes', note);
  expect(mailedPeople(list)).toEqual([KEPT]);
  const { level, message, hint = '' } = list.finding('unknown_status') ?? {};
  expect([level, message]).toEqual(['stop', expect.stringContaining(`in column "Notes": ${JSON.stringify(note)} (1)`)]);
  expect(hint).toMatch(/=(?:skip|unsubscribed)'?$/);
});

const HARMLESS = [
  'deleted one item of the order|forgot the data|data sheet sent|enough room for two',
  'likes dogs|met at the fair in 2019|pays late|prefers phone calls|no allergies|left-handed|left a voicemail|never contacted so far',
  'Met at the fair. Left her card.|left us a review|Returned item 2x, refund done|Lieferung zurück|Ware zurückgeschickt',
  'Closed the deal in Q3|out of office in July|on maternity leave until May|Stammkunde|keine Kinder|nicht vor 9 Uhr|cliente desde 2019',
  'client fidèle|stały klient|постоянный клиент|常連|iyi müşteri|550 points|2021-03-04|http://example.com/list/42|https://example.com/unsubscribe',
].flatMap((line) => line.split('|'));

test.each(HARMLESS)('does not ask the user about the note %j of an active person (C10)', async (note) => {
  const list = await withNote('Notes', note);
  expect([list.trouble, mailedPeople(list)]).toEqual([[], [KEPT, ASKED]]);
});

const CALL = 'She called about the delivery and was happy with the new price of the item. ';

test.each([5, 20, 500])('asks about a request at the end of a note of %i sentences (C10)', async (count) => {
  for (const request of [
    'Please unsubscribe.',
    'Asked to be taken off the mailing list.',
    'opted out',
    'NL abbestellt',
  ]) {
    const list = await withNote('Notes', CALL.repeat(count) + request);
    expect([request, list.trouble, mailedPeople(list)]).toEqual([request, ['stop unknown_status'], [KEPT]]);
  }
  // Without dots a part of the note can begin inside the request.
  for (let length = 100; length < 110; length++) {
    const list = await withNote(
      'Notes',
      `${'word '.repeat(length)}take her off our mailing list${' word'.repeat(count)}`,
    );
    expect([length, mailedPeople(list)]).toEqual([length, [KEPT]]);
  }
  const harmless = await withNote('Notes', CALL.repeat(count));
  expect([harmless.trouble, mailedPeople(harmless)]).toEqual([[], [KEPT, ASKED]]);
});

test.each(['Call notes', 'Phone comments', 'Telefonnotizen', 'Anrufnotiz'])(
  'asks about a request for no mail under %s, not about calls (C10)',
  async (header) => {
    for (const note of ['asked for no emails', 'please stop the newsletter', 'keine Mails mehr']) {
      const list = await withNote(header, note);
      expect([note, list.trouble, mailedPeople(list)]).toEqual([note, ['stop unknown_status'], [KEPT]]);
    }
    for (const note of ['do not call', 'wrong number', 'no answer', 'left a voicemail']) {
      expect([note, mailedPeople(await withNote(header, note))]).toEqual([note, [KEPT, ASKED]]);
    }
  },
);

test.each(['Comments', 'Reason', 'Historique', '', '#', 'Unnamed: 3', 'Column5'])(
  'reads a column with the header %j like notes (C10)',
  async (header) => {
    for (const note of ['unsub 3/4', 'bounced 550', 'moved off list']) {
      const list = await withNote(header, note);
      expect([note, mailedPeople(list), list.trouble]).toEqual([note, [KEPT], expect.anything()]);
    }
  },
);

test.each(['newsletter;customer', 'mailing list 2023', 'email course', 'left-handed'])(
  'does not ask the user about the tags %j (C10)',
  async (tags) => {
    expect(mailedPeople(await withNote('Tags', tags))).toEqual([KEPT, ASKED]);
  },
);

test.each(['newsletter-no', 'ex-subscribers', 'vip;dead address', 'gdpr-delete'])(
  'asks the user about the tags %j, which may be an opt-out (C10)',
  async (tags) => {
    expect(mailedPeople(await withNote('Tags', tags))).toEqual([KEPT]);
  },
);

test('offers first to skip people with unknown notes (C10, C11)', async () => {
  const note = 'not interested';
  const asked = await withNote('Notes', note);
  expect(asked.finding('unknown_status')).toMatchObject({
    hint: "--status-map 'Notes:not interested=skip'",
    when: 'This skips 1 row',
    otherwise: [
      { flags: "--status-map 'Notes:not interested=unsubscribed'" },
      { flags: "--status-map 'Notes:not interested=subscribed'" },
    ],
  });
  expect(mailedPeople(await withNote('Notes', note, { statusMap: { [note]: 'skip' } }))).toEqual([KEPT]);
  const harmless = await withNote('Notes', note, { statusMap: { 'Notes:*': 'subscribed' } });
  expect([harmless.trouble, mailedPeople(harmless)]).toEqual([[], [KEPT, ASKED]]);
  const clear = await withNote('Notes', 'please do not email', { statusMap: { 'Notes:*': 'subscribed' } });
  expect(mailedPeople(clear)).toEqual([KEPT]);
});

test.each(['Notes=attributes.remarks', 'Notes=ignore'])('still reads notes when --map says %s (C10)', async (map) => {
  const asked = await withNote('Notes', 'does not read the newsletter', { map: [map] });
  expect([asked.trouble, mailedPeople(asked)]).toEqual([['stop unknown_status'], [KEPT]]);
  expect(mailedPeople(await withNote('Notes', 'please do not email', { map: [map] }))).toEqual([KEPT]);
});

test('subscribes no person by the answer "Notes:*=subscribed" alone (C10)', async () => {
  const list = { 'list.csv': csv('Email,Notes', `${ASKED},not interested`) };
  const answered = await readList(list, { statusMap: { 'Notes:*': 'subscribed' } });
  expect([mailedPeople(answered), answered.finding('no_status')?.level]).toEqual([[], 'stop']);
});

test.each([
  ['Profile', '{"unsubscribed_at":null}', [KEPT, ASKED]],
  ['Profile', '{"opted_out":false}', [KEPT, ASKED]],
  ['Profile', '{"unsubscribed_at":"2024-01-01"}', [KEPT]],
  ['Profile', '{"note":"please stop mailing"}', [KEPT]],
  ['Data', 'city=Rome;optin=1', [KEPT, ASKED]],
  ['Data', 'city=Rome;optin=0', [KEPT]],
  ['Params', 'lang=en&unsubscribed=1', [KEPT]],
])('reads the field value, not the field name, in the %s cell %s (C10)', async (header, cell, expected) => {
  expect(mailedPeople(await withNote(header, cell))).toEqual(expected);
});

test.each(['Status', 'Consent', 'Preferences'])(
  'reads deep JSON, but no more than 100 levels, under %s (C1, C10)',
  (header) => {
    const nested = (levels: number, value: string) => `${'{"a":'.repeat(levels)}${value}${'}'.repeat(levels)}`;
    const table = tableOf([header]);
    for (const levels of [0, 5, 6, 7, 98]) {
      const read = ['{"state":"bounced"}', '{"optin":false}'].map((value) => meaningOf(table, nested(levels, value)));
      expect([levels, ...read]).toEqual([levels, 'skipped bounced', 'refused']);
    }
    // More than a hundred levels are no JSON for svc.
    expect(meaningOf(table, nested(101, '{"state":"bounced"}'))).toBe(header === 'Preferences' ? '-' : 'asked');
  },
);

test('counts the notes that say nothing about consent (C10)', async () => {
  const list = await withNote('Notes', 'likes dogs');
  expect(list.reading.inputs[0]?.notes).toEqual([{ index: 2, values: 2 }]);
});

// Each refusal with its accents or vowel signs, and without them.
test.each([
  ...['طلب إلغاء الاشتراك', 'طلب الغاء الاشتراك', 'طَلَب إلغاء الاشتراك'],
  ...['non voglio pubblicità', 'non voglio pubblicita', 'non voglio pubblicita\u0300', "non voglio pubblicita'"],
])('unsubscribes a person when the note is %j (C10)', async (note) => {
  const list = await withNote('Notes', note);
  expect([list.trouble, list.contacts.map(({ status }) => status)]).toEqual([
    ['warn unknown_status'],
    [undefined, 'unsubscribed'],
  ]);
});

test('asks the user about an Arabic note that means "messages" (C10)', async () => {
  expect((await withNote('Notes', 'رسائل')).finding('unknown_status')?.level).toBe('stop');
});
