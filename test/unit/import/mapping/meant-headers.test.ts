import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';

/** Headers with which a yes is an opt-out, in small letters. */
const OPT_OUTS =
  'do not contact|do not email|do not send|has opted out of email|opted out of email|unsubscribed|opt out of email|global opt out|global unsubscribe|email unsubscribed|no marketing|werbesperre|werbewiderspruch|keine werbung|kein newsletter|kontaktsperre|versand gesperrt|abgemeldet|desabonnement|desinscription|ne pas contacter|ne pas envoyer|fecha de baja|no contactar|non contattare|disiscritto|niet benaderen|uitgeschreven|left the list|no email please|blacklisted|deceased person|dado de baja|data de baixa|ingen reklam|never contact|no publicidad|no pubblicita|not subscribed|schwarze liste';
const AGREEMENTS =
  'accepts marketing|accepts email marketing|wants email|receives newsletter|email status|subscription';
const FORMS = [
  (header: string) => header.replaceAll(' ', '_').toUpperCase(),
  (header: string) => header.replaceAll(' ', '').toUpperCase(),
  (header: string) => header.replaceAll(' ', '_'),
];

/** The addresses that would be signed up. In the list, `no@x.test` has a no and `yes@x.test` a yes below the header. */
async function signedUp(header: string, yes = 'yes'): Promise<readonly string[]> {
  const files = { 'list.csv': csv(`Email,Plan,${header}`, 'no@x.test,a,no', `yes@x.test,b,${yes}`) };
  const { contacts, trouble } = await readList(files, { defaultStatus: { '*': 'subscribed' } });
  return trouble.some((one) => one.startsWith('stop'))
    ? []
    : contacts.flatMap(({ email, status }) => (status === undefined ? [email] : []));
}

test.each(OPT_OUTS.split('|'))('signs up no person with a yes when dBase cut the header "%s" (C10)', async (header) => {
  for (const form of FORMS.map((formOf) => formOf(header).slice(0, 10))) {
    expect([form, await signedUp(form)]).not.toEqual([form, expect.arrayContaining(['yes@x.test'])]);
  }
});

test.each(AGREEMENTS.split('|'))(
  'signs up no person with a no when dBase cut the header "%s" (C10)',
  async (header) => {
    for (const form of FORMS.map((formOf) => formOf(header).slice(0, 10))) {
      expect([form, await signedUp(form)]).not.toEqual([form, expect.arrayContaining(['no@x.test'])]);
    }
  },
);

test.each([
  ['GLOBAL_OPT', 'Y', 'N'],
  ['HAS_OPTED_', 'Y', 'N'],
  ['VERSAND_GE', 'ja', 'nein'],
  ['FECHA_DE_B', '2019-05-04', '2020-06-07'],
])('asks about %s when the cut header may mean two things (C10)', async (header, yes, no) => {
  const files = { 'list.csv': csv(`Email,${header}`, `a@x.test,${yes}`, `b@x.test,${no}`) };
  const { contacts, trouble } = await readList(files, { defaultStatus: { '*': 'subscribed' } });

  expect([contacts, trouble]).toEqual([[], ['stop unknown_status']]);
});

test.each(['Wien–Österreich', 'Öffnung —Änderung', 'В–5'])(
  'does not warn about double encoding when the text %s is correct',
  async (text) => {
    const { trouble } = await readList(
      { 'list.csv': csv(`Email,City ${text}`, `a@x.test,${text}`) },
      { defaultStatus: { '*': 'subscribed' } },
    );

    expect(trouble).toEqual([]);
  },
);

test.each([
  'DÃ©sabonnÃ©',
  'D√©sabonn√©',
  'D├®sabonn├®',
  'DĂ©sabonnĂ©',
  'GekÃ¼ndigt',
  'ÐžÑ‚Ð¿Ð¸Ñ\u0081Ð°Ð½',
  'РћС‚РїРёСЃР°РЅ',
  'Est dÃ©sabonnÃ©',
])('reads the header %s as an opt-out when it was encoded twice (C10)', async (header) => {
  expect(await signedUp(header)).toEqual(['no@x.test']);
});

test('finds the column when an answer names its twice-encoded header (C11)', async () => {
  const files = { 'list.csv': csv('Email,DÃ©sabonnÃ©', 'a@x.test,perhaps', 'b@x.test,no') };

  const { contacts, reading } = await readList(files, {
    defaultStatus: { '*': 'subscribed' },
    statusMap: { 'DÃ©sabonnÃ©:perhaps': 'unsubscribed' },
  });

  expect(contacts.map(({ email, status }) => [email, status])).toEqual([
    ['a@x.test', 'unsubscribed'],
    ['b@x.test', undefined],
  ]);
  expect(reading.findings.filter(({ level }) => level === 'stop')).toEqual([]);
});
