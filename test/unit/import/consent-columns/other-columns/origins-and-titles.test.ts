import { describe, expect, it } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** The meaning of each cell under the header, in a column that begins with `usual` values. */
function meanings(header: string, usual: readonly string[], cells: readonly string[]): readonly string[] {
  const table = tableOf([header], { rows: [...usual, ...usual, ...usual].map((cell) => [cell]) });
  return cells.map((cell) => meaningOf(table, cell));
}

describe('the list or the sheet that a row comes from', () => {
  it.each<[string, readonly string[]]>([
    [
      'Source',
      ['bounce', 'old bounces', 'complaint', 'Spam complaints', 'Opt outs 2020', 'Leavers', 'Removed', 'inactive'],
    ],
    ['Lead source', ['bounce', 'Blacklist']],
    [
      'Herkunft',
      ['Widerruf', 'Kontaktsperre', 'schwarze Liste', 'Abmelder', 'Newsletter Abmeldungen 2020', 'Austritte 2020'],
    ],
    ['Herkunft', ['Rückläufer', 'Ruecklaeufer', 'Beschwerden', 'Kündigungen', 'Karteileichen']],
    ['Tabellenblatt', ['Inaktiv', 'Abgänge', 'Ex', 'Tot', 'Gekündigte', 'Ehemalige', 'Raus']],
    ['Provenance', ['Plaintes', 'Liste noire', 'NPAI', 'Résiliés', 'Oppositions']],
    ['Feuille', ['Sortis', 'Anciens', 'Refus', 'Décédés']],
    ['Herkomst', ['Afmeldingen', 'Klachten', 'Zwarte lijst', 'Uitschrijvingen', 'Opzeggers']],
    ['Tabblad', ['Oud-leden', 'Overleden', 'Gestopt']],
    ['Origen', ['Bajas', 'Quejas', 'Lista negra', 'Rebotados']],
    ['Sheet', ['Old', 'Former', 'Archive', 'old members', 'Archive 2019', 'Past customers', 'Graveyard']],
    ['Tabellenblatt', ['Alt', 'Archiv', 'alte Kunden', 'Papierkorb']],
    ['Onglet', ['Ancien', 'anciens clients', 'Corbeille']],
    ['Hoja', ['Antiguos', 'Papelera']],
    ['Provenienza', ['Reclami', 'Lista nera', 'Cancellati', 'Rimbalzi']],
    ['Source', ['Schwarze Liste csv', 'old blocklist txt', 'Liste rouge xlsx', 'lista negra 2020 csv']],
    ['Kilde', ['Svarteliste export', 'Czarna lista xlsx', 'zwarte lijst leden csv']],
  ])('subscribes no person when %s names a list of opt-outs (C10)', (header, cells) => {
    const read = meanings(header, ['Messe', 'Web', 'Shop'], cells);
    expect(cells.filter((_, at) => read[at] === '-')).toEqual([]);
  });

  it('does not ask about sources and sheets that are not opt-out lists (C10)', () => {
    const sources = [
      ...['Bouncy Castle', 'Blockchain', 'Left Bank Books', 'unknown', 'Stop & Shop', 'Old CRM', 'Old list'],
      ...['Purchased online', '(none)', 'Paid', 'manual', 'Sperrmüll', 'Sorties', 'Exhibition', 'Hardware'],
    ];
    expect(meanings('Source', ['Messe', 'Web', 'Shop'], sources)).toEqual(sources.map(() => '-'));
    const sheets = ['Old Town', 'Alt-Wien', 'Archive of poems', 'Main', 'Members', 'Tabelle1', 'Export 2020'];
    expect(meanings('Sheet', ['Messe', 'Web', 'Shop'], sheets)).toEqual(sheets.map(() => '-'));
    expect(meanings('City', ['Rome', 'Bonn', 'Lyon'], ['Bajas', 'Sortis', 'Hard'])).toEqual(['-', '-', '-']);
  });
});

describe('the title or the suffix of a name', () => {
  it('asks when the title or suffix says that the person died (C10)', () => {
    const dead = ['(dec.)', "dec'd", 'Dec', '(decd)', 'The late', 'Estate of', 'Mr (dec.)', 'verst.', '†'];
    for (const header of ['Title', 'Suffix', 'Name prefix', 'Anrede']) {
      expect(meanings(header, ['Mr', 'Mrs', 'Dr'], dead)).toEqual(dead.map(() => 'refused'));
    }
    expect(meanings('Job title', ['CEO', 'CFO', 'CTO'], ['Late', 'Dec'])).toEqual(['-', '-']);
  });
});

describe('how a mailing list delivers its messages', () => {
  const usual = ['Each email', 'Digest', 'Abridged'];
  it.each(['Delivery', 'Delivery type', 'Delivery mode', 'Digest setting', 'Email delivery', 'Subscription type'])(
    'asks or keeps mail away when %s says that a person gets no mail (C10)',
    (header) => {
      const off = ['None', 'Off', 'Never', 'Vacation', 'Suspended', 'Hold', 'Web only', 'nomail', 'disabled'];
      const read = meanings(header, usual, [...off, ...usual]);
      expect(off.filter((_, at) => ['-', 'subscribed'].includes(read[at] ?? '-'))).toEqual([]);
      expect(read.slice(off.length).filter((meaning) => /refused|asked/.test(meaning))).toEqual([]);
    },
  );

  it('does not ask about the delivery of goods (C10)', () => {
    const ways = ['Pickup', 'Express', 'Store', 'Returned', 'no'];
    expect(meanings('Delivery', ['Courier', 'Post', 'Pickup'], ways)).toEqual(ways.map(() => '-'));
  });
});
