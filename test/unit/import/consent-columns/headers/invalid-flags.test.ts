import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

/** Headers of columns that mark an address as invalid, in many programs and languages. */
const FLAGS =
  'Invalid Email|invalid_email|email_invalid|EmailInvalid|Email is invalid|Email not valid|Email address invalid|Bad email|Bad email address|email1_is_bad|Dead email|Wrong email|Incorrect email address|Unreachable|Undeliverable|Not deliverable|E-Mail ungültig|Ungültige E-Mail-Adresse|E-Mail nicht zustellbar|Unzustellbar|E-Mail fehlerhaft|Adresse email invalide|Email no válido|Correo inválido|E-mail non valida|E-mail inválido|E-mail ongeldig|Nieprawidłowy email|Ogiltig e-post|Ugyldig e-post|Virheellinen sähköposti|Geçersiz e-posta|Neplatný e-mail|Érvénytelen email|Недействительная почта|メール無効|邮箱无效|무효메일'.split(
    '|',
  );
const YES = ['1', 'Yes', 'TRUE', 'x', '2024-05-01'];

test('skips, without suppression, an address in an "Invalid Email" column (C6)', async () => {
  for (const header of FLAGS) {
    const rows = YES.map((cell, at) => `p${at}@x.test,active,${cell}`);
    const list = await readList({
      'list.csv': csv(`Email,Status,${header}`, ...rows, 'q@x.test,active,0', 'r@x.test,active,'),
    });
    const mailed = list.contacts.map(({ email }) => email);
    // A header in another script gives no attribute key, which is a warning.
    const trouble = list.trouble.filter((one) => one !== 'warn attribute_key');
    expect([header, trouble, list.suppressions, mailed, list.reading.rows.skipped]).toEqual([
      header,
      [],
      {},
      ['q@x.test', 'r@x.test'],
      { invalid: YES.length },
    ]);
  }
});

test.each([
  ['SugarCRM', 'First Name,Last Name,Email Address,Email Opt Out,Invalid Email', 'A,B,ana@x.test,0,1'],
  ['SuiteCRM', 'id,first_name,last_name,email_address,email_opt_out,invalid_email', '1,A,B,ana@x.test,No,Yes'],
  ['a column with the reason', 'Email,Status,Invalid email reason', 'ana@x.test,active,no such domain'],
  ['the word "bounced" in the column', 'Email,Status,Invalid Email', 'ana@x.test,active,bounced'],
  ['the status "undeliverable"', 'Email,Status', 'ana@x.test,undeliverable'],
])('neither mails nor suppresses a person with an invalid address: %s (C6)', async (_, header, row) => {
  const list = await readList({ 'list.csv': csv(header, row) });
  expect([list.suppressions, list.contacts, list.trouble]).toEqual([{}, [], []]);
});

test('skips an invalid address even when another row has it as valid (C7)', async () => {
  const list = await readList({
    'list.csv': csv('Email,Status,Invalid Email', 'ana@x.test,active,1', 'ana@x.test,active,0'),
  });
  expect([list.contacts, list.reading.rows.skipped]).toEqual([[], { invalid: 1 }]);
});

test.each(['Email bounced', 'Hard bounce', 'Invalid email (hard bounce)'])(
  'suppresses a person with a yes under %s as bounced (C6)',
  async (header) => {
    const list = await readList({ 'list.csv': csv(`Email,Status,${header}`, 'ana@x.test,active,1') });
    expect(list.suppressions).toEqual({ bounced: ['ana@x.test'] });
  },
);

test.each(['Validated email', 'Invalid phone', 'Email address', 'Mailing address', 'Falschparker'])(
  'does not read the header %s as a mark of invalid addresses (C10)',
  async (header) => {
    const list = await readList({ 'list.csv': csv(`Email,Status,${header}`, 'ana@x.test,active,1') });
    expect(list.contacts).toHaveLength(1);
  },
);
