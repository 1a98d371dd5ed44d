import { expect, test } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** The marks of the source beside a name, and the headers of names in which svc looks for them. */

const each = (words: string, template = '%') => words.split('|').map((word) => template.replace('%', word));

/** The meaning of a cell below usual names. */
const read = (header: string, cell: string) =>
  meaningOf(tableOf([header], { rows: [['Bo Smith'], ['Cy Young'], ['Eve Oak'], [cell]] }), cell);

const PERSONS =
  'name|names|full name|display name|contact name|customer name|member name|subscriber name|person name|voller Name|vollständiger Name|Vorname|Nachname|Familienname|Vor- und Nachname|nom|nom complet|nom et prénom|nombre|nombre completo|nome|nome completo|nome e cognome|naam|namn|navn|nimi|imię i nazwisko|isim|ad soyad|имя|ФИО|meno|jméno';
const COMPANIES =
  'company|organization|organisation|Firma|Unternehmen|entreprise|société|raison sociale|empresa|azienda|ditta|ragione sociale|bedrijf|organisatie|företag|virksomhed|bedrift|yritys|şirket|společnost|spółka|компания|организация|company name|organisatie naam|Firmenname|bedrijfsnaam|företagsnamn|virksomhedsnavn|bedriftsnavn';

test('asks about a mark under each header of names of people (C10)', () => {
  const missed = each(PERSONS).filter((header) => read(header, 'Oak (RIP)') !== 'refused');
  expect([missed, read('Shoe', 'Oak (RIP)')]).toEqual([[], '-']);
});

test('asks about a mark under each header of companies (C10)', () => {
  const missed = each(COMPANIES).filter(
    (header) => read(header, 'Oak Ltd - OLD') !== 'refused' || read(header, 'ZZ Oak Ltd') !== 'refused',
  );
  expect([missed, read('Shoe', 'ZZ Oak Ltd'), read('Company', 'Oak (RIP)')]).toEqual([[], '-', '-']);
});

const MARKS = [
  ...each('delete|remove'),
  ...each('dec|decd|decsd|dec.', 'Ann Oak (%)'),
  ...each(
    'ex|old|former|formerly|obsolete|defunct|ehem|ehem.|ehemals|alt|ancien|ancienne|antiguo|antigua|vecchio|vecchia|oud|stary|stara|gammel|gammal',
    'Ann Oak (%)',
  ),
  ...each('ex|old|former|obsolete|defunct|ehem|ehemals|alt|ancien|ancienne|ehem.', 'Ann Oak - %'),
  ...each('–|—', 'Ann Oak % old'),
  ...each('INACTIVE|DELETE|REMOVE|RIP', 'Ann Oak %'),
  ...each('RIP|rip|R.I.P|R.I.P.', 'Ann (%) Oak'),
  ...each('[RIP]|{RIP}|*RIP*', 'Ann Oak %'),
  ...each(
    '~Ann Oak~|~~Ann Oak~~|<s>Ann Oak</s>|<del>Ann Oak</del>|<strike>Ann Oak</strike>|A\u0336n\u0336n\u0336 O\u0336a\u0336k\u0336',
  ),
  ...each('🚫|⛔|❌|❎|✗|✘|🙅|☠|💀|⚰|🪦', 'Ann %Oak'),
  ...each(
    'inactive|Inactive|inactif|inactieve|inaktiv|inattivo|inativo|inactief|nieaktywna|neaktivní|неактивен|suspended|suspendu|archived|archivée|archiviert|archivado|lapsed|dormant|deaktiviert|pausiert|inaktiv seit 2020',
    '(%) Ann Oak',
  ),
  ...each(
    'verst.|verst|VERST|Verst.|gest.|gesp.|gel.|abgem.|abm.|abbest.|ausgetr.|gek.|inakt.|inact.|unzust.|décéd.|fallec.|overl.|uitg.|susp.|verst. 2021',
    'Ann Oak (%)',
  ),
  ...each('[inactive]|{inactive}|*inactive*|- inactive|– verst.|- inaktiv', 'Ann Oak %'),
];

const NAMES =
  'Robert (Gel) Oak|Ann (Verst) Oak|Ann Oak (active)|Ann Oak (Archie)|Ann Oak - Gest|Late Ann Oak|Gel Oak|Ann Inaktiv';

test('does not ask about a nickname that resembles an abbreviated mark (C10)', () => {
  expect(each(NAMES).filter((name) => read('Name', name) !== '-')).toEqual([]);
});

test.each(MARKS)('asks about a name with a mark: %s (C10)', (name) => {
  expect(read('Name', name)).toBe('refused');
});

test.each(each('🚫|⛔|🛑|🙅|☠|💀|⚰|🪦'))('asks about a cell that is only the symbol %s (C10)', (sign) => {
  expect(read('Shoe', sign)).toBe('refused');
});
