import { expect, test } from 'vitest';
import { plainWordsOf } from '../../../../../src/import/consent-columns/cells/compounds.ts';
import {
  beginsWithRefusal,
  isLimitedYes,
  isShortDenial,
} from '../../../../../src/import/consent-columns/cells/sentences.ts';
import { refusesConsent } from '../../../../../src/import/consent-columns/words/consent-sentences.ts';
import { everyNth } from '../../../../support/sweep.ts';
import { readList } from '../../support.ts';

/** A refusal in each known language, and a text that only begins with the same letters. */
test.each([
  ['no thanks', 'north'],
  ['not any more', 'noted'],
  ['never', 'nevertheless fine'],
  ['nein danke', 'neinstein'],
  ['nicht mehr', 'nichte'],
  ['kein Interesse', 'ke in'],
  ['keine Werbung', 'ke'],
  ['non grazie', 'nonna'],
  ['pas de pub', 'passt'],
  ['não quero', 'naomi'],
  ['nie więcej', 'niemand'],
  ['nee bedankt', 'needs'],
  ['niet meer', 'nieten'],
  ['geen interesse', 'geena'],
  ['nej tack', 'nejla'],
  ['nei takk', 'neil'],
  ['ei kiitos', 'eisenach'],
  ['нет, спасибо', 'нетто'],
  ['не надо', 'неделя'],
  ['former member', 'form'],
  ['formerly a member', 'formula'],
  ['ex member', 'exeter'],
  ['ehemaliges Mitglied', 'ehe'],
  ['ancienne abonnée', 'anci'],
])('recognizes "%s" as a refusal, but not "%s" (C10)', (text, other) => {
  expect([beginsWithRefusal(text), beginsWithRefusal(text.toUpperCase()), beginsWithRefusal(other)]).toEqual([
    true,
    true,
    false,
  ]);
});

const LIMITED =
  'yes (until 2023)|yes, until 01/2023|ja, bis 2022|ja (bis 31.12.2020)|ja, bis auf Widerruf|oui jusqu’en 2022|sí, hasta 2021|sì, fino al 2021|ja, tot 2021|sim, até 2021|yes - expired|yes (expired)|ja (abgelaufen)|yes, but only by post|yes (post only)|yes (SMS only)|only by phone|ja, nur SMS|oui, sauf SMS|was yes|yes -> no|1→0|ja nein'.split(
    '|',
  );
const UNLIMITED =
  'yes|yes please|ja, gerne|oui !|yes, email only|newsletter only|once a month|weekly|Only offers|Butter & bread|bis 18 Jahre|yes (website)|yes*'.split(
    '|',
  );

test('asks about "yes, until 2023", and offers first to skip (C10, C11)', async () => {
  for (const [nth, header] of ['Newsletter', 'Opt-in', 'Marketing consent'].entries()) {
    for (const cell of everyNth(LIMITED, 3, nth)) {
      const list = await readList({
        'list.csv': `Email,Status,${header}\nana@x.test,active,yes\nben@x.test,active,"${cell}"\n`,
      });
      const { hint = '' } = list.finding('unknown_status') ?? {};
      expect([header, cell, list.trouble, hint.includes('=skip')]).toEqual([
        header,
        cell,
        ['stop unknown_status'],
        true,
      ]);
    }
  }
  expect(UNLIMITED.filter(isLimitedYes)).toEqual([]);
});

const DENIALS = [
  ...['I disagree', 'disapproved', 'disallowed', 'unchecked', 'unticked', 'unapproved', 'unwanted', 'unverified'],
  ...['stopped', 'canceled', 'cancelled', 'revoked', 'withdrawn', 'expired', 'nega', 'niega', 'verboten', 'neudelen'],
  ...['neudeleno', 'izinsiz', 'rifiuto', 'SMS only', 'invoice only', 'invoices only', 'service only'],
  ...['transactional only', 'does not agree'],
];

test.each(DENIALS)('recognizes "%s" as a denial, but not inside a longer text (C10)', (text) => {
  expect([isShortDenial(text), isShortDenial(`${text} in the year of the first big move to Ulm`)]).toEqual([
    true,
    false,
  ]);
});

const FORMAL_DENIALS = [
  'I do not give consent to the processing of my data',
  'I do not consent to the processing of my personal data for marketing purposes',
  'I do not give my consent to receive marketing emails from the company',
  'I don’t consent to my data being used by the company for any purpose',
  'Je ne donne pas mon consentement au traitement de mes données à cette fin',
  'Consent has not been given to the processing of my data for this purpose',
  'Ich stimme der Verarbeitung meiner Daten zu diesem Zweck ausdrücklich nicht zu',
  'Ich willige in die Verarbeitung meiner Daten zu diesem Zweck nicht ein',
  'Mit der Verarbeitung meiner Daten bin ich nicht einverstanden',
  'Meine Einwilligung in die Verarbeitung meiner Daten habe ich nicht erteilt',
  'No doy mi consentimiento para el tratamiento de mis datos personales',
];

/** A header and the cell of another row. A text that denies nothing can be the name of a list, so it says yes. */
const placesOf = (headers: string) =>
  headers.split('|').flatMap((header) => ['yes', 'Weekly news'].map((yes) => [header, yes] as const));
const FORMAL_PLACES = placesOf('Consent|Newsletter|Mailing list|Marketing consent|Einwilligung');

// Each denial stands at three or four of the places.
test.each(FORMAL_DENIALS)('asks about a long denial when another row says yes: %s (C1, C10)', async (denial) => {
  for (const [header, yes] of everyNth(FORMAL_PLACES, 3, FORMAL_DENIALS.indexOf(denial))) {
    const list = await readList({
      'list.csv': `Email,Status,${header}\nana@x.test,active,${yes}\nben@x.test,active,"${denial}"\n`,
    });
    const emails = list.contacts.map(({ email }) => email);
    expect([header, list.finding('unknown_status')?.level, emails]).toEqual([header, 'stop', ['ana@x.test']]);
  }
});

const DENYING_SENTENCES = [
  'I refuse consent to the processing of my data for this purpose',
  'I hereby refuse my consent to the use of my personal data',
  'I decline to give my consent to marketing use of my data',
  'I withhold my consent to the processing of my data',
  'I object to the processing of my personal data for marketing',
  'I cannot agree to the processing of my personal data',
  'I won’t agree to the processing of my personal data for it',
  'I am unable to consent to this use of my data at this time',
  'I revoke the consent that I gave for the use of my data',
  'I withdraw the permission that I gave in the past',
  'Consent refused by the customer at the counter last year',
  'Customer declined the use of their data for such purposes',
  'Je n’accepte pas que mes données soient utilisées à cette fin',
  'Je n’autorise pas l’utilisation de mes données à cette fin',
  'Je refuse que mes données soient utilisées à cette fin',
  'Je m’oppose à l’utilisation de mes données à cette fin',
  'Je ne souhaite pas que mes données soient utilisées à cette fin',
  'Non presto il consenso al trattamento dei miei dati personali',
  'Nego il consenso al trattamento dei miei dati personali',
  'Non autorizzo il trattamento dei miei dati per questa finalità',
  'Mi oppongo al trattamento dei miei dati per questa finalità',
  'Ik stem niet in met de verwerking van mijn gegevens hiervoor',
  'Ik geef geen toestemming voor de verwerking van mijn gegevens',
  'Ik ga niet akkoord met het gebruik van mijn gegevens hiervoor',
  'Jag går inte med på det här användandet av mina uppgifter',
  'Jag samtycker inte till behandling av mina personuppgifter',
  'Jeg gir ikke samtykke til bruk av mine personopplysninger',
  'Jeg samtykker ikke til behandling af mine personoplysninger',
  'Nesouhlasím se zpracováním svých osobních údajů k tomuto účelu',
  'En hyväksy tietojeni käyttöä tähän tarkoitukseen lainkaan',
  'En anna suostumusta tietojeni käyttöön tähän tarkoitukseen',
  'Nem járulok hozzá személyes adataim kezeléséhez e célból',
  'Nu sunt de acord cu prelucrarea datelor mele personale',
  'Ich erteile meine Einwilligung zu dieser Nutzung ausdrücklich nicht',
  'Ich verweigere die Einwilligung zu dieser Nutzung meiner Daten',
  'Ich lehne die Verarbeitung meiner Daten zu diesem Zweck ab',
  'Ich widerspreche der Verarbeitung meiner Daten zu diesem Zweck',
  'No autorizo el tratamiento de mis datos para esta finalidad',
  'No doy mi consentimiento para el uso de mis datos personales',
  'Me opongo al tratamiento de mis datos para esta finalidad',
  'Rechazo el tratamiento de mis datos para esta finalidad',
  'Não autorizo o tratamento dos meus dados para esta finalidade',
  'Não dou o meu consentimento para o uso dos meus dados',
  'Recuso o tratamento dos meus dados para esta finalidade',
  'Nie wyrażam zgody na przetwarzanie moich danych osobowych',
  'Nie zgadzam się na przetwarzanie moich danych osobowych',
  'Sprzeciwiam się przetwarzaniu moich danych osobowych',
  'Не даю согласия на обработку моих персональных данных',
  'Я против обработки моих персональных данных в этих целях',
  'Kişisel verilerimin bu amaçla işlenmesini kabul etmiyorum',
  'Rıza göstermiyorum kişisel verilerimin işlenmesine asla',
];

const BRIEF_REFUSALS =
  'consent withheld|I object|I decline|I withhold consent|cannot agree|won’t consent|permission denied|opposed to marketing|against marketing|Einwilligung verweigert|widerspreche der Nutzung|lehne ich ab|ich lehne ab|bin dagegen|je m’oppose|contre la publicité|me opongo|rechazo el uso|consentimiento denegado|nego il consenso|mi oppongo|ik weiger|toestemming geweigerd|recuso|consentimento recusado|oponho-me|odmawiam zgody|nekar samtycke|odmítám souhlas|en hyväksy|en suostu|nem járulok hozzá|nem egyezem bele|nu sunt de acord|nu accept|refuz acordul|против рассылки|kabul etmiyorum|onaylamıyorum|izin vermiyorum'.split(
    '|',
  );

const DENYING = [...DENYING_SENTENCES, ...BRIEF_REFUSALS];
const PLACES = placesOf('Consent|Newsletter|Mailing list|Opt-in|Einwilligung');

test.each(DENYING)('subscribes no person whose cell refuses consent: %s (C1, C10)', async (denial) => {
  for (const [header, yes] of everyNth(PLACES, 4, DENYING.indexOf(denial))) {
    const list = await readList({
      'list.csv': `Email,Status,${header}\nana@x.test,active,${yes}\nben@x.test,active,"${denial}"\n`,
    });
    const ben = list.contacts.find(({ email }) => email === 'ben@x.test');
    const isKept = ben ? ben.status === 'unsubscribed' : list.finding('unknown_status')?.level === 'stop';
    expect([header, yes, isKept]).toEqual([header, yes, true]);
  }
});

test.each([
  'Monthly product updates and company news',
  'US news for the West Coast and Hawaii',
  'Das Beste aus der Region am Wochenende',
  'Consent given on the web form',
  'Acceptance news',
  'No-Code Weekly',
  'Objective-C News',
  'I agree that my data may be used for the newsletter',
  'Ich stimme der Verarbeitung meiner Daten zu diesem Zweck zu',
])('asks nothing about the name of a list or an agreement: %s (C10)', async (text) => {
  const list = await readList({ 'list.csv': `Email,Newsletter\nana@x.test,Weekly news\nben@x.test,"${text}"\n` });
  expect(list.finding('unknown_status')?.message ?? '').not.toContain(text.slice(0, 20));
});

test.each([
  'I agree that my data may be used. I can opt out at any time',
  'Yes, I want the newsletter, but not more than once a week',
  'Weekly news, no ads',
  'Ich stimme der Verarbeitung meiner Daten zu diesem Zweck zu',
])('recognizes no denial of consent in a text that agrees: %s (C10)', (text) => {
  expect(refusesConsent(plainWordsOf(text))).toBe(false);
});
