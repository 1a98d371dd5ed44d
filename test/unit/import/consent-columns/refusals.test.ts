import { expect, test } from 'vitest';
import { csv, readList } from '../support.ts';
import { meaningOf, saysNothing, tableOf } from './vocabulary/golden.ts';

// Refusals that only their header explains. The status beside them says that the person gets mail.

/** A header, a cell that agrees, and cells that deny what the header names. */
const DENIED = [
  'Deliver mail: Deliver: Do not deliver, not deliver, no delivery, undelivered, withhold, halt, suspended',
  'Sending: sending: not sending, no sending, do not send',
  'Inform: inform: do not inform, never inform, not informed',
  'E-Mail-Versand: Versand: Kein Versand, kein E-Mail-Versand, nicht versenden, wird nicht versendet',
  'Zustellung: Zustellung: keine Zustellung, nicht zustellen',
  'Benachrichtigung: Benachrichtigung: keine Benachrichtigung, nicht benachrichtigen',
  'Einladung: Einladung: keine Einladung, nicht einladen',
  "Envoi d'e-mails: envoi: pas d'envoi, aucun envoi, sans envoi, ne pas envoyer",
  'Envío de correo: envío: sin envío, ningún envío, no enviar',
  'Invio email: invio: nessun invio, senza invio, non inviare',
  'Verzending: verzending: geen verzending, niet verzenden, zonder verzending',
  'Wysyłka e-mail: wysyłka: brak wysyłki, bez wysyłki, nie wysyłać',
  'Envio de e-mail: envio: sem envio, nenhum envio, não enviar',
  'Rozesílání: rozesílat: nerozesílat, bez rozesílání',
  'Zasílání e-mailů: zasílat: nezasílat, bez zasílání',
  'Utskick: utskick: inget utskick, inga utskick, ej utskick',
  'Udsendelse: udsendelse: ingen udsendelse, ikke udsende',
  'Αποστολή email: αποστολή: όχι αποστολή, χωρίς αποστολή',
  'Отправка писем: отправка: не отправлять, без отправки',
  'メール配信: 配信する: 配信しない, 配信なし, 配信不要, 配信停止',
  '邮件发送: 发送: 不发送',
].map((line) => line.split(': '));

/** True if the cell says nothing under this header, so that a status beside it decides. */
function isSilent(header: string, cell: string, yes: string): boolean {
  return saysNothing(header, yes, cell);
}

test('asks about a cell that denies the word in its header (C10)', () => {
  const pairs = DENIED.flatMap(([header = '', yes = '', cells = '']) =>
    cells.split(', ').map((cell) => [header, cell, yes] as const),
  );
  expect(pairs.length).toBeGreaterThan(50);
  expect(pairs.filter(([header, cell, yes]) => isSilent(header, cell, yes))).toEqual([]);
});

const ANSWER_HEADERS =
  'Answer|Response|Reply|Interest|Decision|Antwort|Rückmeldung|Interesse|Réponse|Intérêt|Respuesta|Interés|Risposta|Antwoord|Odpowiedź|Zainteresowanie|Resposta|Odpověď|Svar|Intresse|Απάντηση|Ответ|回答|Newsletter|Rundbrief|Send mail'.split(
    '|',
  );
const HEDGED =
  'rather not|not really|prefer not to|I would rather not|sorry no|not at this time|not now|thanks but no|lieber nicht|eher nicht|leider nein|nicht wirklich|momentan nicht|plutôt non|plutôt pas|je préfère pas|malheureusement non|pas vraiment|pas pour le moment|mejor no|prefiero que no|en realidad no|por ahora no|meglio di no|preferisco di no|purtroppo no|non proprio|liever niet|helaas niet|niet echt|raczej nie|wolę nie|niestety nie|melhor não|prefiro não|infelizmente não|raději ne|spíše ne|bohužel ne|helst inte|tyvärr inte|inte riktigt|hellere ikke|desværre ikke|καλύτερα όχι|δυστυχώς όχι|лучше не|к сожалению нет|遠慮します|結構です'.split(
    '|',
  );

test('asks about "rather not" and the like under a header such as Answer (C10)', () => {
  const silent = ANSWER_HEADERS.flatMap((header) =>
    HEDGED.filter((cell) => isSilent(header, cell, 'yes')).map((cell) => `${header}: ${cell}`),
  );
  expect(silent).toEqual([]);
});

const ENDED =
  'not any more|no longer|none please|nicht mehr|lieber keine|plutôt rien|ya no|ya no más|non più|niet meer|liever geen|już nie|já não|už ne|inte längre|ikke mere|больше не'.split(
    '|',
  );

test('asks about a no such as "not any more" or "none please" (C10)', () => {
  const headers = ['Answer', 'Newsletter', 'Mail?', 'Communication preference', 'Outreach'];
  const silent = headers.flatMap((header) => ENDED.filter((cell) => isSilent(header, cell, 'email')));
  expect(silent).toEqual([]);
});

const STILL = [
  'Still a member|Still at school|Still interested: yes: no',
  'Noch Mitglied|singt noch mit|Noch dabei: ja: nein',
  'Toujours adhérent|Encore membre: oui: non',
  'Sigue en el club|Todavía socio: sí: no',
  'Ancora socio: sì: no',
  'Nog lid: ja: nee',
  'Fortfarande medlem: ja: nej',
].map((line) => line.split(': '));

test('asks about a no under a header such as "Still a member" (C10)', () => {
  const silent = STILL.flatMap(([headers = '', yes = '', no = '']) =>
    headers.split('|').filter((header) => isSilent(header, no, yes)),
  );
  expect(silent).toEqual([]);
  const toDo = ['Still to pay', 'Noch offen', 'Ancora da pagare', 'Still life class'];
  expect(toDo.filter((header) => !isSilent(header, 'no', 'yes'))).toEqual([]);
});

test('asks nothing about a no that has nothing to do with mail (C10)', () => {
  const pairs = [
    ['Delivery method', 'no delivery', 'pickup'],
    ['Delivery', 'No delivery address', 'Home'],
    ['Gender', 'prefer not to say', 'female'],
    ['Vegetarian', 'not really', 'yes'],
    ['Interests', 'Nordic walking', 'gardening'],
    ['Interest', 'rather high', 'low'],
    ['Answer', 'not sure', 'yes'],
    ['Invited', 'not invited', 'invited'],
    ['Information', 'no information', 'x'],
    ['Mailing city', 'Nowhere', 'Paris'],
    ['Mailing country', 'NO', 'DE'],
    ['Phone', 'kein Telefon', '12345'],
    ['Products', 'not now', 'Lamp'],
  ] as const;
  expect(pairs.filter(([header, cell, yes]) => !isSilent(header, cell, yes))).toEqual([]);
});

test('asks about a refusal that only a later row has (C10)', async () => {
  const rows = Array.from({ length: 300 }, (_, at) => `p${at}@example.com,active,Versand,yes,Main,yes`);
  const list = await readList({
    'list.csv': csv(
      'Email,Status,E-Mail-Versand,Interest,Sheet,Mail?',
      ...rows,
      'anna@example.com,active,Kein Versand,yes,Main,yes',
      'ben@example.com,active,Versand,purtroppo no,Main,yes',
      'cleo@example.com,active,Versand,yes,Graveyard,yes',
      'dan@example.com,active,Versand,yes,Main,not any more',
    ),
  });
  expect(list.finding('unknown_status')?.values?.map(({ value }) => value)).toEqual([
    'Kein Versand',
    'purtroppo no',
    'Graveyard',
    'not any more',
  ]);
});

// No list of words has these cells, so a quick test of the words of a row does not see them.
test.each([
  ['Answer', 'yes', 'purtroppo no'],
  ['Interest', 'yes', 'Helaas niet'],
  ['邮件发送', '发送', '不发送'],
  ['Rozesílání', 'rozesílat', 'nerozesílat'],
  ['Medlem', 'ja', 'gått ur'],
  ['Adhésion', '2024', 'non renouvelée'],
  ['Bezug', 'läuft', 'endet'],
  ['Interest', 'sports', 'no'],
  ['Post', 'post', 'no post'],
  ['List', 'News', '(was) News'],
  ['Newsletter', 'Garden tips', 'on verra'],
  ['Source', 'Website', 'lista negra csv'],
  ['顧客ステータス', '有効', '停用'],
  ['Invitations', 'yes', 'no'],
  ['Call result', 'busy', 'declined'],
  ['Post ontvangen', 'ja', 'niet meer'],
  ['送付', 'する', 'しない'],
])('asks about a late refusal under %s when earlier rows say %s: %s (C10)', async (header, usual, refusal) => {
  const rows = Array.from({ length: 1_000 }, (_, at) => `p${at}@example.com,active,${usual}`);
  const list = await readList({
    'list.csv': csv(`Email,Status,${header}`, ...rows, `z@example.com,active,${refusal}`),
  });
  expect(list.finding('unknown_status')?.values?.map(({ value }) => value)).toEqual([refusal]);
});

test.each(
  [
    'Interested: yes, no|Still interested: yes, no|Interessiert: ja, nein|Intéressé: oui, non|Interesado: sí, no',
    'Interessato: sì, no|Geïnteresseerd: ja, nee|Zainteresowany: tak, nie|Intresserad: ja, nej',
    'Mail level: full, none|Mailing level: high, zero|Email volume: 2, 0',
  ].flatMap((line) => line.split('|').map((one) => one.split(/: |, /))),
)('asks about a no under %s when other rows say %s: %s (C10)', (header, usual, no) => {
  expect(isSilent(header as string, no as string, usual as string)).toBe(false);
});

/** Headers of a membership or a subscription, a usual cell, and cells of people who leave. */
const LEAVING = [
  'Membership|Member: active: not renewing, will not renew, did not renew, leaving, ex, was member',
  'Mitgliedschaft|Mitglied: ja: nicht verlängert, keine Verlängerung, tritt aus, war Mitglied, nicht mehr',
  'Adhésion|Adhérent: oui: non renouvelée, ne renouvelle pas, a quitté le club, plus adhérent',
  'Socio|Membresía: sí: no renovado, no renueva, se fue, ya no',
  'Socio|Socia: sì: non rinnovato, non rinnova, ha lasciato, lasciato, non più',
  'Sócio|Associado: sim: não renovou, deixou, já não',
  'Lid|Lidmaatschap: ja: niet verlengd, gaat weg, niet meer',
  'Członek|Członkostwo: tak: nie przedłużył, nie odnowiono, już nie',
  'Membership status: Active: leaving, has left, was member',
  'Medlem|Medlemskap: ja: gått ur, har slutat, inte förnyat, fd medlem, melder seg ut',
  '会員: 会員: 更新しない, 更新なし',
  'Bezug: läuft: endet, läuft aus, ruht, eingestellt zum 1.5.2024',
].map((line) => line.split(': '));

test('asks about a person who leaves or does not renew (C10)', () => {
  const silent = LEAVING.flatMap(([headers = '', yes = '', cells = '']) =>
    headers
      .split('|')
      .flatMap((header) => cells.split(', ').map((cell) => [header, cell, yes] as const))
      .filter(([header, cell]) => isSilent(header, cell, yes)),
  );
  expect(silent).toEqual([]);
  const unpaid = ['Lapsed', 'Expired', 'Gold', 'no auto renewal', 'renewed', 'à renouveler', 'verlängert'];
  expect(unpaid.filter((cell) => !isSilent('Membership', cell, 'active'))).toEqual([]);
});

test('asks about a plain no under a header such as "Your answer" (C10)', () => {
  const pairs = [
    ['Interest', 'no'],
    ['Your answer', 'No'],
    ['Antwort', 'nein'],
    ['Ihre Entscheidung', 'nein'],
    ['Réponse client', 'non'],
    ['Interesse', 'nee'],
    ['Interés', 'no'],
    ['Decisione', 'no'],
    ['Resposta', 'não'],
    ['Decyzja', 'nie'],
    ['Svar', 'nej'],
    ['回答', 'いいえ'],
  ] as const;
  expect(pairs.filter(([header, cell]) => isSilent(header, cell, 'yes'))).toEqual([]);
  const others = ['Interests', 'Answers', 'Interest in dogs', 'Response time', 'Answer email', 'Intereses'];
  expect(others.filter((header) => !isSilent(header, 'no', 'yes'))).toEqual([]);
  expect(['0', 'N', 'none', 'n/a', 'no answer'].filter((cell) => !isSilent('Answer', cell, 'yes'))).toEqual([]);
});

test.each(['Willingness to pay', 'Willing to travel', 'Wish to volunteer', 'Decision to buy', 'Souhait de cours'])(
  'asks nothing about "rather not" under a header not about mail: %s (C10)',
  (header) => {
    expect(['rather not', 'leider nein', 'plutôt non'].filter((cell) => !isSilent(header, cell, 'yes'))).toEqual([]);
  },
);

test('asks about "rather not" under "Willing to receive mail" (C10)', () => {
  const headers = ['Willing to receive mail', 'Wish to hear from us', 'Willing to be contacted', 'Resposta do cliente'];
  expect(headers.filter((header) => isSilent(header, 'rather not', 'gladly'))).toEqual([]);
});

test('asks nothing about a parcel that is not delivered (C10)', () => {
  const parcels = [
    ['Delivery', 'Tracking', 'No delivery'],
    ['Versand', 'Sendungsnummer', 'Kein Versand'],
    ['Envoi', 'Transporteur', "pas d'envoi"],
    ['Envío', 'Núm. de rastreo', 'sin envío'],
    ['Bezorging', 'Vervoerder', 'geen bezorging'],
  ] as const;
  const read = ([header, beside, cell]: (typeof parcels)[number], others: readonly string[]) =>
    meaningOf(tableOf([header, ...others], { rows: [['x'], [cell]] }), cell, ...(beside && others.length ? ['1'] : []));
  expect(parcels.filter((list) => read(list, [list[1]]) !== '-')).toEqual([]);
  expect(parcels.filter((list) => read(list, []) === '-')).toEqual([]);
  const mail = tableOf(['E-Mail-Versand', 'Tracking'], { rows: [['Versand'], ['Kein Versand']] });
  expect(meaningOf(mail, 'Kein Versand', '1')).toBe('refused');
});

test('asks about "no post" under Post, and not about a plain no (C10)', () => {
  const refusals = ['no post', 'keine Post', 'geen post', 'ingen post', 'lieber nicht'];
  expect(refusals.filter((cell) => isSilent('Post', cell, 'Post'))).toEqual([]);
  expect(['no', 'nein', 'ja', 'Berlin'].filter((cell) => !isSilent('Post', cell, 'ja'))).toEqual([]);
});

const VAGUE =
  'maybe later|perhaps|undecided|ask me later|vielleicht später|mal sehen|unentschlossen|peut-être plus tard|on verra|quizás más adelante|ya veremos|forse|talvez mais tarde|misschien later|może później|kanske senare|måske|возможно|検討中|以后再说'.split(
    '|',
  );

test.each(['Newsletter', 'Subscription', 'Would you like to get our newsletter?', 'Send mail', 'E-Mail-Versand'])(
  'asks about a vague answer under %s (C10)',
  (header) => {
    expect(VAGUE.filter((cell) => isSilent(header, cell, 'Garden tips'))).toEqual([]);
    expect(['Maybe Magazine', 'Perhaps Press'].filter((cell) => !isSilent(header, cell, 'Garden tips'))).toEqual([]);
  },
);

test('asks about a note that a person said no or a newsletter ended (C10)', () => {
  const ends = [
    ['Lettre', 'arrêt'],
    ['Notiziario', 'basta'],
    ['Biuletyn', 'wstrzymany'],
    ['Zpravodaj', 'ukončeno'],
    ['Response', 'said no'],
    ['Antwort', 'hat abgesagt'],
    ['Réponse', 'a dit non'],
    ['Respuesta', 'dijo que no'],
    ['Svar', 'har tackat nej'],
    ['Newsletter', 'bad address'],
  ] as const;
  expect(ends.filter(([header, cell]) => isSilent(header, cell, 'Garden tips'))).toEqual([]);
});

test('asks about an answer that refuses, and not about a missing answer (C10)', () => {
  const refusals = [
    ['Response', 'declined'],
    ['Rückmeldung', 'Absage'],
    ['Réponse', 'refus'],
    ['Respuesta', 'rechazada'],
    ['Risposta', 'rifiuto'],
    ['Antwoord', 'afgewezen'],
    ['Resposta', 'recusou'],
    ['Odpowiedź', 'odmowa'],
    ['Svar', 'avböjt'],
    ['返信', '辞退'],
  ] as const;
  expect(refusals.filter(([header, cell]) => isSilent(header, cell, 'x'))).toEqual([]);
  const others = ['no response', 'missing', 'fehlt', 'sans réponse', 'geen antwoord', 'pending', 'positive'];
  expect(others.filter((cell) => !isSilent('Response', cell, 'x'))).toEqual([]);
});

test('asks about an inactive member, and a person who gets no magazine (C10)', () => {
  const cells = [
    ['Membership', 'inactive'],
    ['Mitglied', 'inaktiv'],
    ['Socio', 'inactivo'],
    ['Medlem', 'inaktiv'],
    ['Bezug', 'kein Bezug'],
    ['Prenumeration', 'ingen prenumeration'],
  ] as const;
  expect(cells.filter(([header, cell]) => isSilent(header, cell, 'x'))).toEqual([]);
});
