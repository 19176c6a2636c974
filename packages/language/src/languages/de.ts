import type { Language } from './language.ts';
import { digitCounts, entries, keyPhrases, pairs, setOf, signsOf } from './lists.ts';

const units = ['ein', 'zwei', 'drei', 'vier', 'fünf', 'sechs', 'sieben', 'acht', 'neun'];
const tens = ['zwanzig', 'dreißig', 'vierzig', 'fünfzig', 'sechzig', 'siebzig', 'achtzig', 'neunzig'];
const compounds = tens.flatMap((ten) => units.map((unit) => `${unit}und${ten}`));

export const de: Language = {
  tag: 'de',
  sentences: {
    abbreviations: setOf(
      `hr, fr, dr, prof, dipl, ing, st, z.b, zb, d.h, u.a, bzw, ca, evtl, ggf, inkl, exkl, zzgl, vgl, s.o, s.u,
        i.d.r, o.ä, tel, str, sog, max, min, mind, geb, v.a, u.u, z.t`,
    ),
    lastAbbreviations: setOf('usw, etc, u.s.w, jr, sen, jhd, gmbh'),
    numberAbbreviations: setOf('nr, abs, art, abb, s, kap'),
    capitalWords: new Set(),
    conjunctions: setOf('und, aber, oder, denn, weil, dass, sondern, während, damit, obwohl'),
    interjections: setOf(
      `guten morgen, guten tag, guten abend, hallo, natürlich, selbstverständlich, gerne, sehr gerne, gern, klar,
        na klar, sicher, genau, perfekt, alles klar, in ordnung, verstanden, ich verstehe, vielen dank, danke,
        danke schön, kein problem, entschuldigung, tut mir leid, einen moment, einen moment bitte, gut, sehr gut,
        prima`,
    ),
    numberParts: setOf('hundert, tausend, million, millionen, zwischen, zwei, drei, vier, fünf, zehn'),
    dottedOrdinals: {
      before: setOf(
        `januar, jänner, februar, märz, april, mai, juni, juli, august, september, oktober, november, dezember,
          jahrhundert, stock, etage, klasse, mal, januar, jan, feb, apr, aug, sept, okt, nov, dez`,
      ),
      after: setOf('am, der, die, das, den, dem, des, vom, zum, zur, im, bis, ab, beim, seit, jeden, jeder, jedes'),
    },
  },
  listening: {
    backchannels: entries(
      `ja, jaja, jo, joa, jap, genau, richtig, stimmt, das stimmt, klar, alles klar, gut, sehr gut, prima, super,
        schön, verstehe, ich verstehe, verstanden, achso, ach so, aha, natürlich, sicher, in ordnung, passt,
        na klar, eben, exakt, perfekt, mhm, tja, weiter`,
    ),
    answers: entries(
      `ja, jaja, jo, jap, klar, genau, richtig, stimmt, das stimmt, gerne, gern, okay, ok, gut, prima, sicher,
        natürlich, in ordnung, passt, nein, nee, nö, ne, niemals, leider nicht, doch`,
    ),
    softeners: entries('bitte, danke, gerne, gern, danke schön, vielen dank, äh, ähm, also, na'),
  },
  turns: {
    unfinished: setOf(
      `und, oder, aber, weil, dass, denn, wenn, als, damit, obwohl, sondern, ob, der, die, das, den, dem, des,
        ein, eine, einen, einem, einer, mein, meine, meinen, meinem, dein, ihr, ihre, ihren, unser, unsere, sein,
        seine, kein, keine, äh, ähm, hm, also, noch, sehr, auch, vielleicht, eigentlich, halt, ich, wir, er, wie,
        wo, was, zum, zur, im, vom, am, beim`,
    ),
    hardlyFinished: setOf(
      `nach, von, für, mit, bei, zu, bis, ohne, zwischen, gegen, seit, wegen, um, in, auf, über, ist, bin, sind,
        war, waren, habe, hat, haben, hatte, will, möchte, würde, kann, können, könnte, muss, müssen, soll, darf,
        wird, werden, heiße`,
    ),
    unfinishedPhrases: setOf(
      `ich möchte gerne, ich würde gerne, ich hätte gerne, ich hätte gern, ich brauche, mein name ist,
        können sie mir, einen moment, moment mal, ich glaube, ich denke`,
    ),
    finishedPhrases: setOf(
      `danke, vielen dank, danke schön, tschüss, auf wiederhören, auf wiedersehen, bitte, das war alles,
        das ist alles, das wär's, das war's, nichts weiter, hallo, guten tag, guten morgen, guten abend,
        ich weiß nicht, keine ahnung, noch nicht, bis dann, bis morgen, schönen tag noch`,
    ),
    pronouns: setOf('ich, du, sie, er, es, wir, das'),
    openings: setOf(
      `wenn, falls, weil, da, obwohl, während, nachdem, bevor, sobald, um, für, als, bis, ob, mit, ohne,
        bei, nach, vor`,
    ),
    closedQuestions: setOf(
      `können sie, kann ich, können wir, haben sie, ist das, ist es, gibt es, sind sie, darf ich, möchten sie,
        wissen sie, könnten sie`,
    ),
  },
  spelling: {
    numbers: digitCounts(
      ['null, eins, zwo', ...units].join(','),
      [
        'zehn, elf, zwölf, dreizehn, vierzehn, fünfzehn, sechzehn, siebzehn, achtzehn, neunzehn',
        ...tens,
        ...compounds,
      ].join(','),
    ),
    tens: new Set(),
    doubles: setOf('doppel, doppelt'),
    marks: setOf('bindestrich, strich, unterstrich, plus, minus, leerzeichen, wie, groß'),
    at: setOf('at, ät, klammeraffe'),
    dot: setOf('punkt, dot'),
    cues: setOf(
      `nummer, telefonnummer, handynummer, rufnummer, code, postleitzahl, kundennummer, bestellnummer,
        kontonummer, iban, kennzeichen, buchstabiere, buchstabiert`,
    ),
    emailCues: setOf('email, e-mail, mail, mailadresse, e-mail-adresse, emailadresse'),
    nameCues: setOf('name, namen, nachname, nachnamen, vorname, vornamen, heißen'),
  },
  spoken: {
    digits: 'null eins zwei drei vier fünf sechs sieben acht neun'.split(' '),
    signs: signsOf(
      `und, oder, at, at, Punkt, Schrägstrich, Bindestrich, Unterstrich, plus, Prozent, Nummer, Paragraph,
        gleich, mal, Grad, Celsius, Fahrenheit, Hashtag, etwa`,
    ),
    abbreviations: pairs(
      `z.b=zum Beispiel; d.h=das heißt; u.a=unter anderem; bzw=beziehungsweise; usw=und so weiter; etc=et cetera;
        ca=circa; evtl=eventuell; ggf=gegebenenfalls; inkl=inklusive; exkl=exklusive; zzgl=zuzüglich; hr=Herr;
        fr=Frau; dr=Doktor; prof=Professor; tel=Telefon; str=Straße; mind=mindestens; max=maximal; sog=sogenannt;
        i.d.r=in der Regel; v.a=vor allem; und/oder=und oder`,
    ),
    numberAbbreviations: pairs('nr=Nummer; art=Artikel; abs=Absatz; s=Seite'),
    titles: new Map(),
    acronyms: setOf('FAQ, EU, USA, USB, URL, API, ID, IT, AG, EDV, AI, KI, IP, ARD, AOK, ADAC, EC'),
    numbers: null,
  },
  greetings: {
    screening: ['nennen sie ihren namen und', 'sagen sie ihren namen und', 'namen und den grund', 'warum sie anrufen'],
    voicemail: [
      'hinterlassen sie',
      'hinterlasse',
      'nachricht hinterlassen',
      'nach dem ton',
      'nach dem signalton',
      'nach dem piep',
      'nach dem piepton',
      'mailbox',
      'anrufbeantworter',
      'sprachnachricht',
      'rufe ich zurück',
      'rufen wir zurück',
      'rufe sie zurück',
      'schnellstmöglich zurück',
    ],
    ivr: [
      ...keyPhrases(
        ['drücken sie', 'drücken sie die', 'wählen sie', 'wählen sie die'],
        ['null', 'eins', 'zwei', 'drei', 'vier', 'fünf'],
      ),
      'alle mitarbeiter',
      'bleiben sie in der leitung',
      'bitte warten sie',
      'aufgezeichnet',
      'nicht vergeben',
      'kein anschluss unter dieser nummer',
    ],
    likelyVoicemail: [
      'nicht erreichbar',
      'nicht zu erreichen',
      'nicht verfügbar',
      'zurzeit nicht',
      'momentan nicht',
      'der gewünschte gesprächspartner',
      'der angerufene teilnehmer',
      'die person die sie anrufen',
      'sie sind verbunden mit',
    ],
    likelyIvr: ['willkommen bei', 'vielen dank für ihren anruf'],
    human: [
      'wie kann ich ihnen helfen',
      'was kann ich für sie tun',
      'wer ist da',
      'wer spricht',
      'mit wem spreche ich',
    ],
  },
};
