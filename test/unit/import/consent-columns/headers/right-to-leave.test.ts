import { expect, test } from 'vitest';
import { readHeader } from '../../../../../src/import/consent-columns/headers/read-header.ts';
import { csv, readList } from '../../support.ts';
import { pasteHints } from '../../survey/checks/paste-hints.ts';

/** Sentences of forms: the agreement, and the right to opt out that the law asks for. */
const FORMS: readonly (readonly [agreement: string, right: string, yes: string, no: string])[] = [
  ['I agree to receive the newsletter', 'I can unsubscribe at any time', 'Yes', 'No'],
  ['Sign me up for the newsletter', 'Consent can be revoked at any time', 'yes please', 'no thanks'],
  ['Ich möchte den Newsletter erhalten', 'Die Einwilligung kann ich jederzeit widerrufen', 'Ja, gerne', 'Nein, danke'],
  ['Ja zum Newsletter', 'Abmeldung jederzeit möglich', 'Ja', 'Nein'],
  ["J'accepte de recevoir la newsletter", 'Je peux me désinscrire à tout moment', 'Oui', 'Non'],
  ['Acepto recibir la newsletter', 'Puedo revocar mi consentimiento en cualquier momento', 'Sí', 'No'],
  ['Accetto di ricevere la newsletter', 'Posso disiscrivermi in qualsiasi momento', 'Sì', 'No'],
  ['Ik wil de nieuwsbrief ontvangen', 'Afmelden kan altijd', 'Ja', 'Nee'],
  ['Wyrażam zgodę na newsletter', 'Mogę zrezygnować w dowolnym momencie', 'Tak', 'Nie'],
  ['Jag vill ha nyhetsbrev', 'Jag kan avregistrera mig när som helst', 'Ja', 'Nej'],
  ['Aceito receber a newsletter', 'Posso cancelar a qualquer momento', 'Sim', 'Não'],
  ['Tilaan uutiskirjeen', 'Voin peruuttaa tilauksen milloin tahansa', 'Kyllä', 'Ei'],
  ['メルマガを希望する', 'いつでも配信停止できます', 'はい', 'いいえ'],
];
const JOINED = [
  (agreement: string, right: string) => `${agreement}. ${right}.`,
  (agreement: string, right: string) => `${agreement} (${right})`,
  (agreement: string, right: string) => `${right}; ${agreement}`,
];

test.each(FORMS)('offers no sign-up for a no under the header "%s, %s" (C10)', async (agreement, right, yes, no) => {
  for (const join of JOINED) {
    const header = join(agreement, right);
    const files = { 'list.csv': csv(`Email,"${header}"`, `a@x.test,"${yes}"`, `b@x.test,"${no}"`, 'c@x.test,') };
    const list = await readList(files);
    expect([header, list.contacts]).toEqual([header, []]);
    const offered = list.reading.findings.flatMap(({ hint = '', level }) => (level === 'stop' ? hint : []));
    expect(offered.join(' ')).not.toMatch(/--default-status subscribed/);
    const pasted = await pasteHints(files);
    const subscribed = pasted?.contacts.filter(({ status }) => status === undefined).map(({ email }) => email);
    expect([header, subscribed]).toEqual([header, ['a@x.test']]);
  }
});

test.each([
  ['I do not want emails at any time', 'optedOut'],
  ['Please never email me at any time', 'optedOut'],
  ['Unsubscribed. Can be revoked at any time', 'either'],
])('signs up no person with a yes under "%s" (C10)', async (header, meaning) => {
  expect(readHeader(header)?.meaning).toBe(meaning);
  for (const columns of [`Email,${header}`, `Status,Email,${header}`]) {
    const rows = ['a@x.test,yes', 'b@x.test,no'].map((row) => (columns.startsWith('S') ? `active,${row}` : row));
    const list = await pasteHints({ 'list.csv': csv(columns, ...rows) });
    const subscribed = (list?.contacts ?? []).filter(({ status }) => status === undefined);
    expect(subscribed.map(({ email }) => email)).not.toContain('a@x.test');
  }
});

/**
 * Cells of people who left. They have words of a right to opt out, such as `at any time`, but do not state this right.
 */
const LEFT = [
  'unsubscribed at any time in 2023',
  'blocked until revoked',
  'paused until revoked',
  'off until revoked',
  'gesperrt bis auf Widerruf',
  'abgemeldet, jederzeit',
  'désinscrit jusqu’à révocation',
  'afgemeld, altijd',
  'opted out until revoked',
  'opt-out bis auf Widerruf',
  'on hold until revoked',
  'excluded until revoked',
  'blocked but can be lifted at any time',
  'refuses mail at any time',
  'Sperre bis auf Widerruf',
  'widersprochen bis auf Widerruf',
  'ausgesetzt bis auf Widerruf',
  'verboten, jederzeit',
  'ne peut pas recevoir à tout moment',
  'kan ikke modtage til enhver tid',
  'いつでも拒否',
  'unsubscribed people can return at any time',
  'a blocked person may return at any time',
  'gesperrt kann jederzeit zurück',
  'abgemeldet Rückkehr jederzeit möglich',
  'désinscrit peut revenir à tout moment',
  'afgemeld kan altijd terug',
  'Abmeldung bis auf Widerruf',
  'unsubscribe until revoked',
  'désinscription jusqu’à révocation',
];

const KEPT = [
  'Unsubscribe at any time',
  'Opt out anytime',
  'valid until revoked',
  'erlaubt bis auf Widerruf',
  'bis auf Widerruf',
  'jederzeit widerrufbar',
  'kann ich jederzeit ohne Angabe von Gründen widerrufen',
  'Désinscription possible à tout moment',
  'Uitschrijven kan altijd',
  'Unsubscribe can be done at any time',
  'Abmelden kann ich mich jederzeit',
  'Widerruf jederzeit möglich',
  'Widerrufen kann ich jederzeit',
  'Baja posible en cualquier momento',
];

test.each(KEPT)('reads a yes as agreement when the header also says "%s" (C10)', (right) => {
  expect(JOINED.map((join) => readHeader(join('I agree to the newsletter', right))?.meaning)).toEqual(
    JOINED.map(() => 'agreed'),
  );
});

test.each(LEFT)('pasted hints sign up no person by a yes when a header says %s (C10, C11)', async (left) => {
  for (const header of JOINED.map((join) => join('Newsletter', left))) {
    const list = await pasteHints({ 'list.csv': csv(`Email,"${header}"`, 'a@x.test,yes', 'b@x.test,no') });
    const subscribed = (list?.contacts ?? []).filter(({ status }) => status === undefined);
    expect([header, subscribed.filter(({ email }) => email === 'a@x.test')]).toEqual([header, []]);
  }
});

test.each(['Please never email me', 'Please never email me at any time', 'Never contact me again at any time'])(
  'offers to subscribe only people with a no under %s (C11)',
  async (header) => {
    const files = { 'list.csv': csv(`Email,${header}`, 'a@x.test,yes', 'b@x.test,no', 'c@x.test,') };
    const { finding } = await readList(files);
    expect(finding('no_status')?.hint).toBe(`--status-map '${header}:no=subscribed'`);
    expect(finding('no_status')?.message).toContain('"yes" (1), "no" (1), blank (1)');
  },
);

test('offers first to skip people with a blank when other rows say no (C11)', async () => {
  const rows = ['0,a@x.test', ',b@x.test', '1,c@x.test', ',d@x.test'];
  for (const header of ['Email Opt Out', 'Unsubscribed', 'Abgemeldet']) {
    const { contacts, finding } = await readList({ 'list.csv': csv(`${header},Email`, ...rows) });
    expect(finding('no_status')?.hint, header).toBe('--default-status skip');
    expect(contacts.map(({ email }) => email)).not.toContain('d@x.test');
  }
});

test('offers first to skip people when only clicks or payments are known (C11)', async () => {
  const headers = ['Clicks', 'Opens', 'paying_customer', 'Has purchased', 'Gekauft', 'Zahlender Kunde', 'Achats'];
  for (const header of headers) {
    const { finding } = await readList({
      'list.csv': csv(`Email,${header}`, 'a@x.test,1', 'b@x.test,0', 'c@x.test,1'),
    });
    expect(finding('no_status')?.hint, header).toBe('--default-status skip');
  }
});
