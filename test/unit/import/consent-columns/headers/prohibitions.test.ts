import { expect, test } from 'vitest';
import { meaningOf, tableOf } from '../vocabulary/golden.ts';

/** Words that forbid, refuse or end mail, by language: two headers about mail, and the words beside them. */
const PROHIBITIONS: readonly (readonly [string, readonly string[], string])[] = [
  [
    'English',
    ['Newsletter', 'Email'],
    'forbidden prohibited barred disallowed vetoed embargo embargoed withheld halted halt ceased ditched ignored omitted exempt exempted locked undesired silenced purged shunned scrapped axed culled averse denial disapproved nay unsolicited unwelcome kaput killed nuked binned dumped taboo',
  ],
  [
    'German',
    ['Newsletter', 'E-Mail'],
    'verboten untersagt unzulässig unerlaubt ausgeschlossen verwehrt versagt eingestellt gestoppt zurückgezogen stillgelegt verneint unterbunden gekappt Verbot Sperre',
  ],
  [
    'French',
    ['Newsletter', 'E-mail'],
    'interdit interdite interdiction arrêté stoppé retiré proscrit défendu rejeté refusé exclu',
  ],
  [
    'Spanish',
    ['Boletín', 'Email'],
    'prohibido prohibición denegado cesado detenido vetado negado restringido rechazado excluido',
  ],
  ['Italian', ['Newsletter', 'Email'], 'vietato vietata proibito negato fermato divieto interdetto rifiutato escluso'],
  ['Portuguese', ['Newsletter', 'Email'], 'proibido proibição negado recusado cessado interrompido vetado removido'],
  ['Dutch', ['Nieuwsbrief', 'E-mail'], 'verboden verbod opgeschort afgewezen geweigerd uitgesloten beëindigd'],
  [
    'Polish',
    ['Newsletter', 'E-mail'],
    'zakazany zabroniony zakaz odrzucony zatrzymany wstrzymany wyłączony odmowa wykluczony',
  ],
  ['Swedish', ['Nyhetsbrev', 'E-post'], 'förbjuden förbjudet nekad nekat utesluten borttagen stoppad avslag vägrat'],
  ['Danish', ['Nyhedsbrev', 'E-mail'], 'forbudt nægtet udelukket fjernet afsluttet spærret stoppet afvist'],
  ['Finnish', ['Uutiskirje', 'Sähköposti'], 'kielletty estetty lopetettu evätty hylätty poistettu'],
  ['Czech', ['Newsletter', 'E-mail'], 'zakázáno zakázán vyloučeno odstraněno ukončeno odmítnuto'],
  ['Turkish', ['Bülten', 'E-posta'], 'yasak yasaklandı reddedildi durduruldu engellendi'],
  ['Russian', ['Рассылка', 'Email'], 'запрещено запрещена запрет исключен прекращено прекращена отказано'],
  ['Hungarian', ['Hírlevél', 'E-mail'], 'tiltott tilos letiltva törölve leállítva elutasított'],
  ['Romanian', ['Newsletter', 'Email'], 'interzis refuzat blocat șters oprit exclus'],
];

test.each(PROHIBITIONS)('never takes a yes for an agreement under a ban on mail in %s (C10)', (_, mail, words) => {
  const signsUp = (header: string) =>
    ['agrees', 'subscribed', '-'].includes(meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes'));
  const headers = words.split(' ').flatMap((word) => mail.flatMap((name) => [`${name} ${word}`, `${word} ${name}`]));
  expect(headers.filter(signsUp)).toEqual([]);
  expect(mail.filter((name) => !signsUp(`${name} xyzzy`))).toEqual([]);
});

test.each([
  'Contact forbidden',
  'Kontakt verboten',
  'Contact interdit',
  'Contacto prohibido',
  'Contatto vietato',
  'Correio proibido',
  'Updates ceased',
  'Prohibited',
  'Verboten',
])('asks about a yes under %s (C10)', (header) => {
  expect(meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes')).toMatch(/^(?:asked|refused|unsubscribed)$/);
});

const ENDS =
  'left cancelled rejected stopped ended terminated expired quit gone resigned dropped excluded closed blocked banned opposed purged frozen forbidden prohibited withheld vetoed';

test('asks about a date under an end since when (C10)', () => {
  const isSilent = (header: string) =>
    ['agrees', 'subscribed', '-'].includes(
      meaningOf(tableOf([header], { rows: [['2024-01-02'], ['']] }), '2024-01-02'),
    );
  const headers = ENDS.split(' ').flatMap((end) => [`${end} since`, `${end} on`, `${end}_at`]);
  expect(headers.filter(isSilent)).toEqual([]);
  expect(['Customer since', 'Member since'].filter(isSilent)).toHaveLength(2);
});
