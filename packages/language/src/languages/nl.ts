import type { Language } from './language.ts';
import { digitCounts, entries, setOf } from './lists.ts';
import { greetings } from './nl/greetings.ts';
import { spoken } from './nl/spoken.ts';

const units = ['een', 'twee', 'drie', 'vier', 'vijf', 'zes', 'zeven', 'acht', 'negen'];
const tens = ['twintig', 'dertig', 'veertig', 'vijftig', 'zestig', 'zeventig', 'tachtig', 'negentig'];
/** Compounds such as "vierendertig", with a diaeresis after an e: "tweeëntwintig". */
const compounds = tens.flatMap((ten) => units.map((unit) => `${unit}${unit.endsWith('e') ? 'ën' : 'en'}${ten}`));

export const nl: Language = {
  tag: 'nl',
  sentences: {
    abbreviations: setOf(
      `dhr, mevr, mw, mr, dr, drs, ir, ing, prof, ds, st, bijv, bv, b.v.b, d.w.z, dwz, o.a, oa, m.a.w, m.b.t,
        i.v.m, i.p.v, t.a.v, t.n.v, t.o.v, o.b.v, n.a.v, a.d.h.v, d.m.v, i.o.m, ca, circa, evt, incl, excl, resp,
        gem, max, min, tel, vgl, zgn, z.g, t.w, o.l.v, i.g.v, t.b.v, m.n, vnl, v.a, afd, e.v`,
    ),
    lastAbbreviations: setOf(
      'enz, etc, e.d, e.a, a.u.b, s.v.p, z.s.m, n.v.t, jl, a.s, jr, sr, n.v, b.v, p.p, p.st, p.w, p.m, o.i.d, a.m',
    ),
    numberAbbreviations: setOf('nr, no, art, blz, fig, p, pag, hfst'),
    capitalWords: setOf('u'),
    conjunctions: setOf('en, maar, want, of, dus, omdat, terwijl, zodat, waarbij, hoewel, tenzij, dan'),
    interjections: setOf(
      `goedemorgen, goedemiddag, goedenavond, goedendag, goeiemorgen, goeiemiddag, goeieavond, hallo, hoi, dag,
        natuurlijk, tuurlijk, zeker, zeker weten, jazeker, uiteraard, prima, perfect, uitstekend, fijn, mooi,
        goed, helemaal goed, heel goed, heel fijn, dank u wel, dank je wel, dankuwel, dankjewel, bedankt, dank u,
        dank je, graag gedaan, geen probleem, sorry, excuses, mijn excuses, begrepen, duidelijk, ik begrijp het,
        ik snap het, klopt, dat klopt, precies, een momentje, een moment, één moment, momentje, een ogenblik`,
    ),
    numberParts: setOf(
      `honderd, duizend, miljoen, miljard, een, één, twee, drie, vier, vijf, zes, zeven, acht, negen, tien,
        twaalf, twintig, tussen`,
    ),
    dottedOrdinals: null,
  },
  listening: {
    backchannels: entries(
      `ja, jaja, jawel, jazeker, jep, yes, yep, yeah, ja hoor, o ja, oh ja, precies, juist, klopt, dat klopt,
        prima, goed, mooi, top, fijn, leuk, snap ik, ik snap het, ik snap 't, begrijp ik, ik begrijp het,
        begrepen, duidelijk, helder, natuurlijk, tuurlijk, zeker, inderdaad, exact, perfect, super, uiteraard,
        heel goed, heel mooi, helemaal goed, ga door, ga verder, gaat u verder, ga maar, zeg het maar, ik luister,
        tja, nou ja, is goed, dat is goed, komt goed, lekker`,
    ),
    answers: entries(
      `ja, jaja, jawel, jazeker, jep, yes, yep, yeah, ja hoor, ja graag, graag, oké, oke, okay, ok, klopt,
        dat klopt, prima, goed, is goed, dat is goed, dat is prima, zeker, zeker weten, natuurlijk, tuurlijk,
        inderdaad, juist, precies, correct, perfect, top, fijn, helemaal goed, nee, neen, nee hoor, niet echt,
        nooit, liever niet, absoluut, uhhuh, mmhmm, mhm`,
    ),
    softeners: entries(
      `hoor, graag, alsjeblieft, alstublieft, bedankt, dank je, dank u, dank je wel, dank u wel, dankjewel,
        dankuwel, meneer, mevrouw, nou, eh, uh, oh, o, dat`,
    ),
  },
  turns: {
    unfinished: setOf(
      `en, of, maar, want, omdat, dus, als, toen, terwijl, zodat, hoewel, tenzij, totdat, voordat, nadat, waar,
        wie, welke, waarbij, waarvan, wat, dan, de, het, een, mijn, m'n, jouw, uw, zijn, z'n, haar, ons, onze,
        hun, deze, dit, die, elke, ieder, geen, eh, uh, euh, ehm, uhm, hm, hmm, namelijk, ook, nog,
        heel, erg, zeer, misschien, eigenlijk, gewoon, eens, even, ik, wij, hij, ze, nou, er`,
    ),
    hardlyFinished: setOf(
      `naar, van, voor, met, bij, tot, zonder, tussen, tegen, vanaf, sinds, tijdens, binnen, rond, vanwege,
        volgens, richting, per, in, op, om, te, aan, is, ben, bent, was, waren, heb, hebt, heeft, had, hadden,
        wil, wilt, wilde, zou, zouden, kan, kunt, kunnen, kon, moet, moeten, moest, mag, mogen, ga, gaat, gaan,
        wordt, worden, word, zal, zullen, zult, heet, zegt, hebben, doet`,
    ),
    unfinishedPhrases: setOf(
      `ik wil graag, ik wou graag, ik zou graag, ik zou willen, ik wil, ik bel, ik bel omdat, ik zoek,
        ik had graag, wij willen graag, we willen graag, mijn naam is, ik ben op zoek, kunt u mij, kun je mij,
        kunt u me, kun je me, weet u, weet u ook, ik denk, ik denk dat, ik weet dat, ik dacht, even kijken,
        even denken, even zien, wacht even, een momentje, één momentje, een ogenblikje, een soort, hoe zeg je,
        op de, in de, naar de, bij de, van de, voor de, met de, aan de, het gaat, het gaat om, zodat ik, dat ik,
        dat het, of dat, en dat, omdat het, omdat ik, ik vraag me af, niet zo, niet meer zo, liever een, wilt u,
        kunt u, kun je, wil je`,
    ),
    finishedPhrases: setOf(
      `dank je, dank u, dank je wel, dank u wel, dankjewel, dankuwel, bedankt, hartelijk dank, doei, doeg, dag,
        tot ziens, tot straks, tot morgen, tot dan, fijne dag, fijne dag nog, fijne avond, prettige dag,
        fijn weekend, alsjeblieft, alstublieft, dat was het, dat was alles, dat is alles, dat is het, meer niet,
        verder niets, verder niks, niks meer, verder niet, laat maar, hallo, goedemorgen, goedemiddag,
        goedenavond, goedendag, weet ik niet, ik weet het niet, geen idee, zou graag, ja graag, heel graag,
        dat mag, dat kan, zeker weten, dat hoop ik, ik denk het, ik denk het wel, ik denk het niet, nog niet,
        liever niet, dat denk ik wel, ik kom eraan, zo is het, dat is zo, klopt, dat klopt, hoe gaat het,
        gaat het, wie bent u, wie ben je, wat is het, wat is dat, hoe dan, waar is het, wat kost het, hoe heet je,
        hoe heet u, dat weet ik, dat doe ik, zeg het maar, ga maar, komt eraan, komt er aan, waar dan, wat dan`,
    ),
    pronouns: setOf('ik, jij, je, u, hij, zij, ze, het, wij, we, dat, er'),
    openings: setOf(
      `als, wanneer, terwijl, hoewel, omdat, sinds, tenzij, totdat, nadat, voordat, zodra, toen, om, voor,
        met, zonder, bij, na, tijdens`,
    ),
    closedQuestions: setOf(
      `kunt u, kan u, kun je, kan ik, kan je, kunnen we, kunnen jullie, kunnen wij, mag ik, mogen we, heeft u,
        hebt u, heb je, hebben jullie, hebben we, is het, is er, is dat, is dit, is de, zijn er, zijn jullie,
        zijn we, bent u, ben je, ben ik, wilt u, wil je, willen jullie, zou u, zou je, zou ik, zouden we,
        zouden jullie, gaat het, gaan jullie, moet ik, moeten we, doet u, doen jullie, weet u, weet je, komt u,
        komt er, was het, zit er, zitten er, spreek ik`,
    ),
  },
  spelling: {
    numbers: digitCounts(
      ['nul', 'één', ...units].join(','),
      [
        'tien, elf, twaalf, dertien, veertien, vijftien, zestien, zeventien, achttien, negentien',
        ...tens,
        ...compounds,
      ].join(','),
    ),
    tens: new Set(),
    doubles: setOf('dubbel, dubbele'),
    marks: setOf('streepje, koppelteken, liggend, laag, underscore, plus, spatie, hoofdletter, van, slash'),
    at: setOf('apenstaartje, at, apestaartje'),
    dot: setOf('punt, dot'),
    cues: setOf(
      `nummer, telefoonnummer, mobiel, mobiele, 06-nummer, code, postcode, klantnummer, ordernummer,
        bestelnummer, rekeningnummer, rekening, factuurnummer, kenteken, iban, referentie, kenmerk, pincode, spel,
        spellen, gespeld, relatienummer, polisnummer, bsn, cijfers`,
    ),
    emailCues: setOf('email, e-mail, mail, mailadres, e-mailadres, emailadres, mailtje'),
    nameCues: setOf('naam, achternaam, voornaam, heet'),
  },
  spoken,
  greetings,
};
