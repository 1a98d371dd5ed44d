import { expect, test } from 'vitest';
import { saysNothing } from '../vocabulary/golden.ts';

// Notes and tags that refuse mail without a word for it. The status beside them says that the person gets mail.

function silentOf(header: string, cells: string): readonly string[] {
  return cells.split('|').filter((cell) => saysNothing(header, 'nice', cell));
}

const NOTES = {
  peace:
    'leave me alone|please leave her alone|leave us in peace|wants to be left alone|bitte in Ruhe lassen|will in Ruhe gelassen werden|ich will meine Ruhe|laissez-moi tranquille|laisser en paix|dejar en paz|déjenme en paz|deixar em paz|me deixem em paz|lasciatemi in pace|lăsați-mă în pace|met rust laten|laat me met rust|proszę dać mi spokój|lämna i fred|la være i fred|jättäkää rauhaan|nechat na pokoji|hagyjuk békén|rahat bırakın|оставьте в покое',
  pause:
    'wants a break|wants to pause|would like a break|asked for a break|taking a break from the list|pause for now|please pause|will erstmal pausieren|möchte pausieren|will Pause|macht gerade Pause|möchte vorerst aussetzen|veut faire une pause|prend une pause|quiere una pausa|pide un descanso|quer uma pausa|vuole una pausa|wil even pauze|chce przerwy|vill ta en paus|vil ha pause|chce pauzu|szünetet kér|хочет паузу',
  deletion:
    'Datenlöschung verlangt|Datenlöschung|Kontolöschung beantragt|Datenlöschantrag|solicita supresión de datos|pide el borrado|begärt radering|vill ha radering|ønsker sletning|krever sletting|žádá výmaz údajů|žádá o smazání|törlést kért|kéri adatai törlését',
  'no letters':
    'ne írjunk neki|ne írj neki|ne küldjetek neki|ne zavarjuk|ne keressük|no escribirle|no le escriban|non scriverle|non scrivetegli|não lhe escrever|niet schrijven|niet meer schrijven|skriv inte|skriv ikke til ham|ikke skriv|nepsat|nepište jí|älä kirjoita|nu îi scrieți|μην του γράφετε',
  'another channel':
    'only contact by phone|contact by phone only|please only call|only call me|phone contact only|please contact only by letter|prefers contact by phone only|only reachable by phone|Bitte nur telefonisch kontaktieren|nur postalisch|Kontakt nur per Telefon|nur per Brief anschreiben|bitte nur anrufen|contacter uniquement par téléphone|contactar solo por teléfono|contattare solo telefonicamente|alleen per post contact|kontakt tylko telefoniczny|kun kontakt via telefon|только по телефону|звонить только|vain puhelimitse',
};

test.each(Object.entries(NOTES))('asks about a note that asks for %s (C10)', (_, notes) => {
  expect(['Notes', 'Bemerkung', 'Tags'].flatMap((header) => silentOf(header, notes))).toEqual([]);
});

const LOST_CONSENT =
  'lost-consent|lost consent|consent-lost|consent gone|consent void|permission lost|optin-lost|consent outdated|lapsed_consent|Einwilligung verloren|Einwilligung abgelaufen|Zustimmung erloschen|Einwilligung ungültig|fehlende Zustimmung|consentement perdu|consentement expiré|consentement manquant|consentimiento caducado|consentimento perdido|consentimiento vencido|consentimento expirado|consenso scaduto|consenso perso|consenso mancante|toestemming verlopen|toestemming kwijt|toestemming ontbreekt|zgoda wygasła|zgoda utracona|samtycke saknas|samtycke utgånget|samtykke mangler|samtykke udløbet|samtykke utløpt|souhlas vypršel|souhlas chybí|согласие истекло|согласие потеряно';
const REFUSED_GROUPS = 'news_no|news-off|info_no|offers-no|promo no|digest_off';

test('asks about a tag such as "consent lost" or "news_no" (C10)', () => {
  expect([LOST_CONSENT, REFUSED_GROUPS].flatMap((tags) => silentOf('Tags', tags))).toEqual([]);
  expect(silentOf('Notes', LOST_CONSENT)).toEqual([]);
});

const ORDINARY =
  'nice|called about the pause button|plays phone games only|only calls on Sunday morning|lives in peace|has a coffee break at ten|only by train|contact person for billing|writes in Spanish|Datenblatt verschickt|schreibt nicht gern Protokoll|nur vormittags|solo martes|will im Juni Urlaub machen|lost keys|news|info|offers|promo 2020';

test('asks nothing about ordinary notes and tags (C10)', () => {
  expect(ORDINARY.split('|').filter((cell) => !saysNothing('Notes', 'nice', cell))).toEqual([]);
  expect(ORDINARY.split('|').filter((cell) => !saysNothing('Tags', 'vip', cell))).toEqual([]);
});
