import { expect, test } from 'vitest';
import { csv, readList } from '../../support.ts';

const LISTS = [
  [
    'Status',
    csv('Email,Status,Unsubscribed', 'good@x.test,active,', 'left@x.test,unsubscribed,', 'b@x.test,warm,2020-02-03'),
  ],
  [
    'Situação',
    csv(
      'Email,Situação,Descadastrado em',
      'good@x.test,Ativo,',
      'left@x.test,Cancelado,',
      'b@x.test,Rejeitado,2020-01-02',
    ),
  ],
  ['Out', csv('Email,Out,Left on', 'good@x.test,,', 'left@x.test,2020-01-02,', 'b@x.test,,2020-02-03')],
  [
    'Stato',
    csv('Email,Stato,Disiscritto il', 'good@x.test,Attivo,', 'left@x.test,Disiscritto,', 'b@x.test,Caldo,2020-02-03'),
  ],
  ['Durum', csv('Email,Durum,Unsubscribed', 'good@x.test,Aktif,', 'left@x.test,İptal,', 'b@x.test,Sıcak,2020-02-03')],
  ['状態', csv('Email,状態,Unsubscribed', 'good@x.test,有効,', 'left@x.test,退会,', 'b@x.test,不明,2020-02-03')],
  ['Left on', csv('Email,Left on,Unsubscribed', 'good@x.test,,', 'left@x.test,2020-01-02,', 'b@x.test,,2020-02-03')],
  [
    'Austrittsdatum',
    csv('Email,Austrittsdatum,Unsubscribed', 'good@x.test,,', 'left@x.test,2020-01-02,', 'b@x.test,,2020-02-03'),
  ],
] as const;

const CASES = LISTS.flatMap(([column, text]) =>
  ['ignore', 'attributes.other'].map((field) => [`${column}=${field}`, column, text] as const),
);

test.each(CASES)('offers first to skip people when --map %s hides opt-outs (C10)', async (map, column, text) => {
  const list = await readList({ 'list.csv': text }, { map: [map] });
  const stop = list.finding('no_status');
  expect([stop?.hint, stop?.message]).toEqual([
    '--default-status skip',
    expect.stringContaining(`--map takes no status from "${column}", which may say who opted out`),
  ]);
  const agreed = stop?.otherwise?.find(({ flags }) => flags === '--default-status subscribed');
  expect(agreed?.when).toContain(`this ignores "${column}"`);
});

test('offers the same answers with and without --map Town=ignore (C10)', async () => {
  const text = csv('Email,Town,Unsubscribed', 'good@x.test,Bern,', 'left@x.test,,2020-02-03');
  const lists = await Promise.all([[], ['Town=ignore']].map((map) => readList({ 'list.csv': text }, { map })));
  const [given, ignoring] = lists.map((list) => list.finding('no_status'));
  expect(given?.hint).toBe('--default-status subscribed');
  expect(ignoring).toEqual(given);
});
