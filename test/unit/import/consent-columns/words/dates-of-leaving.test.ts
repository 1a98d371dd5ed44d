import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** The meaning of a date below the header, if it stands beside blanks and if it comes after them. */
function read(header: string): readonly string[] {
  const date = '2024-01-05';
  return [[[date], ['']], [['']]].map((rows) => meaningOf(tableOf([header], { rows }), date));
}

const ANONYMIZED =
  'Anonymized at|Anonymisiert am|Anonymisé le|Anonimizado em|Fecha de anonimización|Anonimizzato il|Data anonimizzazione|Geanonimiseerd op|Anonymiseret den|Anonymiserad|Zanonimizowano|Anonymizováno|Анонимизирован|Дата анонимизации|Обезличен|Pseudonymisiert am|Anonymization date';

test.each(ANONYMIZED.split('|'))('skips a person with a date below %s (C10)', (header) => {
  expect(read(header)).toEqual(['skipped disabled', 'skipped disabled']);
});

const LEFT =
  'Purge date|Date purged|Purged on|Fecha de purga|Date de purge|Wiped on|Scrubbed at|Redacted at|Bereinigt am|Date of exit|Uittredingsdatum|Datum uittreding|Data wyjścia|Data wystąpienia|Datum odchodu|Dátum odchodu|Datum izlaska|Datum izstopa|Data ieșirii|Дата выхода|Дата виходу|Ημερομηνία αποχώρησης|Eroamispäivä|Poistumispäivä|Uppsägningsdatum|Dato for fratræden|退出日期|離脱日|匿名化日';

test.each(LEFT.split('|'))('asks about a date below %s (C10)', (header) => {
  expect(read(header).filter((meaning) => !['refused', 'asked'].includes(meaning))).toEqual([]);
});

const ORDINARY =
  'Release date|Departure date|Arrival date|Abreisedatum|Fecha de entrega|Purchase date|Purge valve|Data wejścia|Дата входа|Login date|Anonymous since|Lähtöpäivä|Trip end';

test.each(ORDINARY.split('|'))('does not ask about a date below %s (C10)', (header) => {
  expect(read(header)).toEqual(['-', '-']);
});

const CANCELLATIONS = [
  'cancelled_at',
  'Canceled on',
  'Cancellation date',
  'Kündigungsdatum',
  'Résilié le',
  'Opgezegd op',
];
const PAID_THINGS = ['plan', 'Billing', 'MRR', 'Tarif', 'Prix', 'Order', 'Stripe'];

test.each(CANCELLATIONS)('asks about a date under %s when a column is about a paid plan (C10)', async (header) => {
  for (const paid of PAID_THINGS) {
    const rows = ['a@x.test,subscribed,free,2024-03-01', 'b@x.test,subscribed,pro,'];
    const { contacts, trouble } = await readList({ 'list.csv': csv(`Email,Status,${paid},${header}`, ...rows) });
    const emails = contacts.map(({ email }) => email);
    expect([paid, emails, trouble]).toEqual([paid, ['b@x.test'], ['stop unknown_status']]);
  }
});

test.each(CANCELLATIONS)('reads a date under %s as an opt-out when no column is about a plan (C10)', async (header) => {
  const rows = ['a@x.test,subscribed,Bonn,2024-03-01', 'b@x.test,subscribed,Kiel,'];
  const { contacts } = await readList({ 'list.csv': csv(`Email,Status,City,${header}`, ...rows) });
  const mailed = contacts.filter(({ status }) => status === undefined);
  expect(mailed.map(({ email }) => email)).toEqual(['b@x.test']);
});
