import { digitCounts, entries, type Language, setOf } from './language.ts';

export const es: Language = {
  tag: 'es',
  sentences: {
    abbreviations: setOf('sr, sra, srta, dr, dra, d, dña, ud, uds, prof, p.ej, aprox, tel, avda, máx, mín, c, pág'),
    lastAbbreviations: setOf('etc, s.a, s.l, a.m, p.m'),
    numberAbbreviations: setOf('n, nº, núm, art, fig, cap'),
    capitalWords: setOf('y, o, a, e'),
    conjunctions: setOf('y, pero, o, porque, así, aunque, pues, entonces, mientras'),
    interjections: setOf(
      'hola, buenos días, buenas tardes, buenas noches, claro, claro que sí, por supuesto, desde luego, perfecto, muy bien, de acuerdo, vale, gracias, muchas gracias, de nada, sin problema, lo siento, un momento, entiendo, entendido, excelente, con mucho gusto',
    ),
    numberParts: setOf(
      'treinta, cuarenta, cincuenta, sesenta, setenta, ochenta, noventa, cien, mil, millón, entre, dos, tres',
    ),
    dottedOrdinals: null,
  },
  listening: {
    backchannels: entries(
      'sí, si, claro, vale, ya, ya veo, de acuerdo, bien, muy bien, bueno, perfecto, exacto, exactamente, eso es, entiendo, entendido, comprendo, por supuesto, cierto, correcto, ah sí, ajá, genial, estupendo',
    ),
    answers: entries(
      'sí, si, claro, claro que sí, vale, de acuerdo, bien, bueno, perfecto, exacto, correcto, eso es, por supuesto, ok, okay, no, nunca, para nada, todavía no, cierto',
    ),
    softeners: entries('por favor, gracias, muchas gracias, señor, señora, pues, eh, bueno'),
  },
  turns: {
    unfinished: setOf(
      'y, e, o, u, pero, porque, que, cuando, como, donde, aunque, pues, entonces, el, la, los, las, un, una, unos, unas, mi, mis, tu, su, sus, nuestro, nuestra, este, esta, ese, esa, eh, em, este, muy, también, quizás, yo, nosotros, al, del, lo, me, se, le',
    ),
    hardlyFinished: setOf(
      'a, de, para, con, en, por, sin, entre, hacia, hasta, desde, sobre, es, soy, son, era, he, ha, han, tengo, tiene, quiero, quisiera, puedo, puede, debo, voy, va, llamo',
    ),
    unfinishedPhrases: setOf(
      'me gustaría, quería, estoy buscando, necesito, mi nombre es, puede decirme, creo que, un momento, espere',
    ),
    finishedPhrases: setOf(
      'gracias, muchas gracias, adiós, hasta luego, por favor, eso es todo, nada más, hola, buenos días, buenas tardes, buenas noches, no sé, no lo sé, ni idea, todavía no, hasta mañana',
    ),
    pronouns: setOf('yo, tú, usted, él, ella'),
    closedQuestions: setOf('puede usted, me puede, podría usted, hay alguna, hay algún, tienen ustedes, es posible'),
  },
  spelling: {
    numbers: digitCounts(
      'cero, uno, un, dos, tres, cuatro, cinco, seis, siete, ocho, nueve',
      'diez, once, doce, trece, catorce, quince, dieciséis, diecisiete, dieciocho, diecinueve, veinte, veintiuno, veintidós, veintitrés, veinticuatro, veinticinco, veintiséis, veintisiete, veintiocho, veintinueve, treinta, cuarenta, cincuenta, sesenta, setenta, ochenta, noventa',
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
  },
};
