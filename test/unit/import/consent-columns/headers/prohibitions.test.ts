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

test.each(PROHIBITIONS)(
  'never reads a yes as agreement under a header that bans mail in %s (C10)',
  (_, mail, words) => {
    const signsUp = (header: string) =>
      ['agrees', 'subscribed', '-'].includes(meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes'));
    const headers = words.split(' ').flatMap((word) => mail.flatMap((name) => [`${name} ${word}`, `${word} ${name}`]));
    expect(headers.filter(signsUp)).toEqual([]);
    expect(mail.filter((name) => !signsUp(`${name} xyzzy`))).toEqual([]);
  },
);

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

/** More words for an end, by language: headers about mail, and the words after them. */
const ENDS_AFTER_MAIL: readonly (readonly [string, string, string])[] = [
  [
    'English',
    'Newsletter|Email|Marketing',
    'silent quiet muted lacking waived renounced abandoned avoided disengaged disconnected dismissed detached expelled interrupted neglected obsolete ousted recanted relinquished repealed retired scrubbed shut stale sunset unavailable unfollowed unlisted deregistered unregistered unticked unwilling voided wiped against cutoff nixed prevented boycotted evicted',
  ],
  [
    'German',
    'Newsletter|E-Mail|Werbung',
    'stumm vorbei abgesagt abgestellt abgeschaltet abgewählt abgebrochen abgewiesen zurückgewiesen verschmäht ungewollt ausgestiegen geschlossen niemals nichts Ausstieg Abwahl Absage unterdrückt unterbrochen fehlgeschlagen ausgeschaltet',
  ],
  [
    'French',
    'Newsletter|E-mail|Mailing',
    'arrêté sortie finie clôturé coupé rejet rayé abandonné cessé aucun jamais renonciation muet indésirable',
  ],
  [
    'Spanish',
    'Boletín|Correo|Envíos',
    'cerrado suprimido retirada negativo deshabilitado renuncia nunca ninguno devuelto indeseado salida abandonado',
  ],
  [
    'Italian',
    'Newsletter|Email|Invio',
    'finito chiuso soppresso rimozione tolto disabilitato rinuncia niente indesiderato uscita scartato recesso',
  ],
  [
    'Portuguese',
    'Boletim|E-mail|Correio',
    'encerrado suprimido remoção rejeitado desistência renúncia nunca nenhum oposição indesejado inativa saída desligado',
  ],
  [
    'Dutch',
    'Nieuwsbrief|E-mail|Mailing',
    'afgelopen gesloten afgezegd afgekeurd geschrapt verworpen herroepen nooit niets ongewenst vertrokken gestaakt uitgezet verlopen',
  ],
  [
    'Polish',
    'Newsletter|E-mail|Mailing',
    'koniec zamknięty wykreślony blokada wykluczenie zawieszona przerwany nigdy przeciw niechciany porzucony wycofany',
  ],
  [
    'Swedish',
    'Nyhetsbrev|E-post|Utskick',
    'slut stängt avbruten avbeställt avvisad avsagt raderad uppsägning vägrad inget inga aldrig oönskat bortvalt återkallat',
  ],
];

test.each(ENDS_AFTER_MAIL)(
  'asks about a yes under a header that says in %s that mail ended (C10)',
  (_, mail, words) => {
    const signsUp = (header: string) =>
      ['agrees', 'subscribed', '-'].includes(meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes'));
    const headers = words.split(' ').flatMap((word) => mail.split('|').map((name) => `${name} ${word}`));
    expect(headers.filter(signsUp)).toEqual([]);
  },
);

/** Headers that forbid to approach a person, or say that a person left. */
const APPROACHES =
  'Do not notify|Do not inform|Do not bother|Do not migrate|Do not import|Do not sync|Nicht informieren|Nicht benachrichtigen|Nicht importieren|Nicht einladen|Keine Einladung|Ne pas inviter|Ne pas informer|Ne pas relancer|No invitar|No informar|Non invitare|Niet uitnodigen|Niet informeren|Nie zapraszać|Bjud inte in|Inviter ikke|Offers ignored|Contact restricted|Contact refused|Updates blocked|Sem correio|Correio recusado|Opted down|Versandstopp|Kontaktstopp|Werbefrei|Sorti de la liste|Retrait liste|Se fue|Left org|Teruggekomen|Non recapitato|Exitus|Morreu';

test.each(APPROACHES.split('|'))('asks about a yes under the header %s (C10)', (header) => {
  expect(meaningOf(tableOf([header], { rows: [['yes'], ['']] }), 'yes')).toMatch(/^(?:asked|refused|unsubscribed)$/);
});

test('asks about a yes under "Do not invite" and under "No invitations" (C10)', () => {
  const meanings = ['Nicht einladen', 'Keine Einladung', 'Do not invite', 'No invitations', 'No invitar'].map(
    (header) => meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes'),
  );
  expect(new Set(meanings)).toEqual(new Set(['refused']));
});

test('reads Correio as a word for mail (C10)', () => {
  const table = tableOf(['Correio'], { rows: [['sim'], ['não']] });
  expect([meaningOf(table, 'sim'), meaningOf(table, 'não')]).toEqual(['agrees', 'refused']);
});

/** Headers of shops, banks and offices with a word for a ban or an end. They say nothing about mail. */
const BUSINESS = [
  'Smoking prohibited|Pets forbidden|Forbidden foods|Voucher withheld|Payment failed|Parcel returned|Exam failed|Claim denied|Credit denied|Visa denied|Passport expired|Hold music|Stop loss|Locked price|Visa refused|Quote declined|Card declined|Credit card declined|Order on hold|Order declined|Delivery refused',
  'Sperrmüll|Sperrgut|Sperrgepäck|Sperrzeit|Rauchen verboten|Haustiere verboten|Zahlung abgelehnt|Angebot abgelehnt|Lieferung verweigert|Kündigungsfrist|Interdit aux mineurs|Stationnement interdit|Paiement rejeté|Carte bloquée|Dossier rejeté|Paiement refusé|Retrait en magasin|Retrait au point relais|Karte abgelehnt',
  'Prohibido fumar|Pago denegado|Crédito denegado|Producto retirado|Divieto di sosta|Spedizione respinta|Betaling geweigerd|Levering geweigerd|Proibido fumar|Pagamento rifiutato|Produto removido|Zakaz wjazdu|Zwrot towaru|Spärrat kort',
].flatMap((line) => line.split('|'));

test.each(BUSINESS)('does not ask the user about a yes under %s (C10)', (header) => {
  expect(meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes')).toBe('-');
});

const OTHER_BLOCKS =
  'Credit blocked|Task blocked|Gift declined|Book on hold|Warranty void|License suspended|Dead stock|Mahnsperre|Liefersperre|Auftragssperre|Kartensperre|Gesperrt für Auftrag|Devis refusé|Contrat résilié|Tarjeta bloqueada|Cuenta bloqueada|Baja médica|Carta bloccata|Factuur geblokkeerd|Contract opgezegd|Cartão bloqueado|Karta zablokowana|Kort spärrat';

test.each(OTHER_BLOCKS.split('|'))(
  'asks about a yes under %s, which may block other things than mail (C10)',
  (header) => {
    expect(meaningOf(tableOf([header], { rows: [['yes'], ['no']] }), 'yes')).toBe('refused');
  },
);

test('does not ask the user about blocked amounts of money (C10)', () => {
  const headers = ['Blocked amount', 'Refused amount', 'Gesperrter Betrag', 'Montant bloqué', 'Importe bloqueado'];
  const meanings = headers.map((header) => meaningOf(tableOf([header], { rows: [['12.50'], ['0']] }), '12.50'));
  expect(new Set(meanings)).toEqual(new Set(['-']));
});

test('asks about a date when the header names the day of an end (C10)', () => {
  const isSilent = (header: string) =>
    ['agrees', 'subscribed', '-'].includes(
      meaningOf(tableOf([header], { rows: [['2024-01-02'], ['']] }), '2024-01-02'),
    );
  const headers = ENDS.split(' ').flatMap((end) => [`${end} since`, `${end} on`, `${end}_at`]);
  expect(headers.filter(isSilent)).toEqual([]);
  expect(['Customer since', 'Member since'].filter(isSilent)).toHaveLength(2);
});
