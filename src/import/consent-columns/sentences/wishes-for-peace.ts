import { compileWords } from '../words/word-patterns.ts';

// Texts that ask for peace, a pause, a deletion or no more letters, without a word for mail: `in Ruhe lassen`, `wants a
// break`, `Datenlöschung verlangt`, `ne írjunk neki`. Each line has one language or a few related ones.

const UP_TO_TWO_WORDS = '(?: \\p{L}+){0,2}$';
const PEACE = compileWords(
  [
    '(?:^| )(?:leave (?:(?:me|us|him|her|them) )?(?:alone|in peace)|left alone)(?= |$)',
    '(?:^| )(?:in ruhe (?:lassen|gelassen)|(?:ich|wir|sie|er) (?:will|wollen) (?:meine |unsere |ihre |seine )?ruhe)(?= |$)',
    '(?:^| )laiss\\p{L}* (?:moi |nous |le |la |les )?(?:tranquilles?|en paix)(?= |$)',
    '(?:^| )(?:dej|deix|lasci|las)\\p{L}* (?:\\p{L}+ )?(?:en paz|em paz|in pace)(?= |$)',
    '(?:^| )(?:met rust (?:laten|gelaten)|laat \\p{L}+ met rust)(?= |$)|(?:^| )da(?:c|jcie|j) (?:\\p{L}+ ){0,2}spokoj(?= |$)',
    '(?:^| )(?:lamna|la|lad|lat) (?:\\p{L}+ ){0,2}i fred(?= |$)|(?:^| )jatt\\p{L}* (?:\\p{L}+ )?rauhaan(?= |$)',
    '(?:^| )nech\\p{L}* (?:\\p{L}+ )?na pokoji(?= |$)|(?:^| )hagy\\p{L}* (?:\\p{L}+ )?beken(?= |$)|(?:^| )rahat birak|(?:^| )остав\\p{L}* (?:\\p{L}+ )?в покое',
  ].join('|'),
);
const PAUSE = compileWords(
  [
    '(?:^| )(?:wants?|would like|needs?|asks? for|asked for|wish(?:es)?|taking|takes) (?:to )?(?:have |take )?(?:a )?(?:short |little |e ?mail )?(?:break|pause|time ?out)(?= |$)|^(?:please )?pause(?: (?:me|us|him|her|them))?(?: for (?:now|a while))?$',
    '(?:^| )(?:will|mochte|wunscht|wollen|macht|braucht) (?:\\p{L}+ ){0,3}(?:pause|pausieren|aussetzen)(?= |$)',
    '(?:^| )(?:veut|souhaite|voudrait|fait|prend|demande) (?:faire |prendre )?une pause(?= |$)',
    '(?:^| )(?:quiere|pide|necesita|desea|quer|pede|deseja|vuole|chiede|desidera) (?:hacer |tomar |fazer |fare )?(?:una|uma|un) (?:pausa|descanso)(?= |$)',
    '(?:^| )wil (?:(?:even|graag|een) )*pauze|(?:^| )(?:chce|prosi o) (?:zrobic )?przerw|(?:^| )(?:vill|vil|onsker) (?:(?:ha|ta|have|tage|gerne|en) )*(?:paus|pause)(?= |$)',
    '(?:^| )chce (?:pauzu|prestavku)(?= |$)|(?:^| )szunetet (?:ker|szeretne)|(?:^| )(?:хочет|просит|взяла?) паузу',
  ].join('|'),
);
const DELETION = compileWords(
  [
    '(?:^| )(?:daten|konto|account|profil|adress)\\p{L}{0,3}losch(?:ung|antrag|wunsch|en)(?: (?:verlangt|gefordert|beantragt|gewunscht|erbeten|angefragt))?$',
    '(?:^| )(?:solicit|pid|exig)\\p{L}{1,5} (?:la |el )?(?:supresion|eliminacion|cancelacion|borrado)(?= |$)',
    '(?:^| )(?:begar\\p{L}?|vill ha|onskar) radering(?= |$)|(?:^| )(?:onsker|krever|kraever|bedt om|anmodet om) slett?ning(?= |$)|(?:^| )(?:zada|pozadal\\p{L}?) (?:o )?(?:vymaz|smazani)(?= |$)',
    '(?:^| )torles\\p{L}* ker(?:t|te|i|ik|tek)?(?= |$)|(?:^| )ker(?:t|te|i)? (?:\\p{L}+ ){0,2}torles',
  ].join('|'),
);
const DO_NOT_WRITE = compileWords(
  [
    `^no (?:l[ae]s? |m[ei] |nos )?escrib(?:ir(?:l[ae]s?|me|nos)?|an?|as|ais)${UP_TO_TWO_WORDS}`,
    `^non scriv(?:er(?:le|gli|ci|mi)|ete(?:le|gli|ci|mi)?)${UP_TO_TWO_WORDS}|^nao (?:l?he |me )?escrev(?:er|am|a)${UP_TO_TWO_WORDS}`,
    `^niet (?:meer )?schrijven${UP_TO_TWO_WORDS}|^skriv(?:e|es|er)? (?:inte|ikke|ej)${UP_TO_TWO_WORDS}|^(?:inte|ikke|ej) skriv(?:a|as|e|es)?${UP_TO_TWO_WORDS}`,
    `^(?:nepsat|nepiste|nepisat)${UP_TO_TWO_WORDS}|^ne (?:irj|kuldj|zavarj|keress)\\p{L}*${UP_TO_TWO_WORDS}|^ala(?:kaa)? kirjoit\\p{L}*${UP_TO_TWO_WORDS}`,
    `^nu (?:(?:ii|le|mai|i) )*scrie\\p{L}*${UP_TO_TWO_WORDS}|^μην? (?:του |της |μου )?γραφ\\p{L}*${UP_TO_TWO_WORDS}`,
  ].join('|'),
);
const LONGEST = 60;

/** True for a text that asks for peace, a pause, a deletion or no more letters, without a word for mail. */
export function wishesForPeace(words: string): boolean {
  return words.length <= LONGEST && [PEACE, PAUSE, DELETION, DO_NOT_WRITE].some((wish) => wish.test(words));
}
