import type { Language } from './language.ts';
import { digitCounts, entries, keyPhrases, pairs, setOf, signsOf } from './lists.ts';

export const es: Language = {
  tag: 'es',
  sentences: {
    abbreviations: setOf('sr, sra, srta, dr, dra, d, dña, ud, uds, prof, p.ej, aprox, tel, avda, máx, mín, c, pág'),
    lastAbbreviations: setOf('etc, s.a, s.l, a.m, p.m'),
    numberAbbreviations: setOf('n, nº, núm, art, fig, cap'),
    capitalWords: setOf('y, o, a, e'),
    conjunctions: setOf('y, pero, o, porque, así, aunque, pues, entonces, mientras'),
    interjections: setOf(
      `hola, buenos días, buenas tardes, buenas noches, claro, claro que sí, por supuesto, desde luego, perfecto,
        muy bien, de acuerdo, vale, gracias, muchas gracias, de nada, sin problema, lo siento, un momento,
        entiendo, entendido, excelente, con mucho gusto`,
    ),
    numberParts: setOf(
      'treinta, cuarenta, cincuenta, sesenta, setenta, ochenta, noventa, cien, mil, millón, entre, dos, tres',
    ),
    dottedOrdinals: null,
  },
  listening: {
    backchannels: entries(
      `sí, si, claro, vale, ya, ya veo, de acuerdo, bien, muy bien, bueno, perfecto, exacto, exactamente, eso es,
        entiendo, entendido, comprendo, por supuesto, cierto, correcto, ah sí, ajá, genial, estupendo`,
    ),
    answers: entries(
      `sí, si, claro, claro que sí, vale, de acuerdo, bien, bueno, perfecto, exacto, correcto, eso es,
        por supuesto, ok, okay, no, nunca, para nada, todavía no, cierto`,
    ),
    softeners: entries('por favor, gracias, muchas gracias, señor, señora, pues, eh, bueno'),
  },
  turns: {
    unfinished: setOf(
      `y, e, o, u, pero, porque, que, cuando, como, donde, aunque, pues, entonces, el, la, los, las, un, una,
        unos, unas, mi, mis, tu, su, sus, nuestro, nuestra, este, esta, ese, esa, eh, em, este, muy, también,
        quizás, yo, nosotros, al, del, lo, me, se, le`,
    ),
    hardlyFinished: setOf(
      `a, de, para, con, en, por, sin, entre, hacia, hasta, desde, sobre, es, soy, son, era, he, ha, han, tengo,
        tiene, quiero, quisiera, puedo, puede, debo, voy, va, llamo`,
    ),
    unfinishedPhrases: setOf(
      'me gustaría, quería, estoy buscando, necesito, mi nombre es, puede decirme, creo que, un momento, espere',
    ),
    finishedPhrases: setOf(
      `gracias, muchas gracias, adiós, hasta luego, por favor, eso es todo, nada más, hola, buenos días,
        buenas tardes, buenas noches, no sé, no lo sé, ni idea, todavía no, hasta mañana`,
    ),
    pronouns: setOf('yo, tú, usted, él, ella'),
    openings: setOf(
      `si, cuando, mientras, aunque, porque, como, desde, después, antes, para, por, al, con, sin, en,
        durante, hasta`,
    ),
    closedQuestions: setOf('puede usted, me puede, podría usted, hay alguna, hay algún, tienen ustedes, es posible'),
  },
  spelling: {
    numbers: digitCounts(
      'cero, uno, un, dos, tres, cuatro, cinco, seis, siete, ocho, nueve',
      `diez, once, doce, trece, catorce, quince, dieciséis, diecisiete, dieciocho, diecinueve, veinte, veintiuno,
        veintidós, veintitrés, veinticuatro, veinticinco, veintiséis, veintisiete, veintiocho, veintinueve,
        treinta, cuarenta, cincuenta, sesenta, setenta, ochenta, noventa`,
    ),
    tens: new Set(),
    doubles: setOf('doble'),
    marks: setOf('guion, guión, barra, plus, más, espacio, mayúscula'),
    at: setOf('arroba'),
    dot: setOf('punto'),
    cues: setOf(
      'número, teléfono, móvil, celular, código, postal, pedido, cuenta, iban, referencia, deletreo, matrícula',
    ),
    emailCues: setOf('email, e-mail, correo, mail'),
    nameCues: setOf('nombre, apellido, apellidos, llama'),
  },
  spoken: {
    digits: 'cero uno dos tres cuatro cinco seis siete ocho nueve'.split(' '),
    signs: signsOf(
      `y, o, en, arroba, punto, barra, guion, guion bajo, más, por ciento, número, párrafo, igual a, por, grados,
        Celsius, Fahrenheit, almohadilla, aproximadamente`,
    ),
    abbreviations: pairs(
      `p.ej=por ejemplo; etc=etcétera; aprox=aproximadamente; sr=señor; sra=señora; srta=señorita; dr=doctor;
        dra=doctora; ud=usted; uds=ustedes; tel=teléfono; avda=avenida; máx=máximo; mín=mínimo; y/o=y o;
        ee.uu=Estados Unidos`,
    ),
    numberAbbreviations: pairs('n=número; nº=número; núm=número; art=artículo; pág=página'),
    titles: new Map(),
    acronyms: setOf('FAQ, USB, URL, API, ID, DNI, IP, IA'),
    numbers: null,
  },
  greetings: {
    screening: ['diga su nombre y', 'su nombre y el motivo', 'el motivo de su llamada', 'di tu nombre y'],
    voicemail: [
      'deje un mensaje',
      'deje su mensaje',
      'deja un mensaje',
      'deja tu mensaje',
      'dejar un mensaje',
      'dejar su mensaje',
      'después de la señal',
      'después del tono',
      'al oír la señal',
      'buzón de voz',
      'buzón',
      'contestador',
      'le devolveré la llamada',
      'te llamaré',
      'le llamaremos',
    ],
    ivr: [
      ...keyPhrases(
        ['marque', 'pulse', 'oprima', 'presione', 'marque el', 'pulse el'],
        ['cero', 'uno', 'dos', 'tres', 'cuatro', 'cinco', 'asterisco'],
      ),
      'todos nuestros agentes',
      'permanezca en línea',
      'manténgase a la espera',
      'puede ser grabada',
      'será grabada',
      'no existe',
      'no está en servicio',
    ],
    likelyVoicemail: [
      'no está disponible',
      'no se encuentra disponible',
      'no puede atender',
      'no puedo atender',
      'apagado o fuera de cobertura',
      'ha llamado a',
      'la persona a la que llama',
      'el número que ha marcado',
    ],
    likelyIvr: ['bienvenido', 'bienvenidos', 'gracias por llamar'],
    human: ['en qué puedo ayudarle', 'en qué le puedo ayudar', 'quién es', 'con quién hablo', 'quién habla'],
  },
};
