import { expect, test } from 'vitest';
import { consentLines, withConsentHeader } from '../../../../src/import/rejects/consent-file.ts';
import { csv, readList } from '../support.ts';

async function consentOf(file: string): Promise<string> {
  const { reading, people } = await readList({ 'old, list.csv': file });
  return (await Array.fromAsync(withConsentHeader(consentLines(reading, people)))).join('');
}

test('writes opt-out dates to the consent file only for suppressed people', async () => {
  const rows = [
    'a@x.test,suppressed,2024-01-01',
    'a@x.test,unsubscribed,2023-05-06 07:08:09',
    'b@x.test,unsubscribed,2024-01-01',
    'c@x.test,bounced,',
    '=d@x.test,complained,2024-02-02',
  ];
  expect(await consentOf(csv('Email,Status,Unsubscribed At', ...rows))).toBe(
    csv(
      'address,state,date,file,line',
      'a@x.test,suppressed,2024-01-01T00:00:00.000Z,"old, list.csv",2',
      'a@x.test,unsubscribed,2023-05-06T07:08:09.000Z,"old, list.csv",3',
      '\'=d@x.test,complained,2024-02-02T00:00:00.000Z,"old, list.csv",6',
    ),
  );
});

test('writes no consent file when no suppressed person has an opt-out date', async () => {
  expect(await consentOf(csv('Email,Status', 'a@x.test,bounced'))).toBe('');
});
