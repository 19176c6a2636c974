import type { Language } from './language.ts';
import { digitCounts, entries, keyPhrases, pairs, setOf, signsOf } from './lists.ts';

export const it: Language = {
  tag: 'it',
  sentences: {
    abbreviations: setOf(
      'sig, sig.ra, sig.na, sigg, dott, dott.ssa, dr, prof, prof.ssa, avv, ing, gent, es, p.es, v, tel, ca, max, min',
    ),
    lastAbbreviations: setOf('ecc, s.p.a, s.r.l'),
    numberAbbreviations: setOf('n, nr, num, art, pag, fig, cap, int'),
    capitalWords: setOf('e, o, a, è'),
    conjunctions: setOf('e, ma, o, oppure, perché, quindi, però, poi, mentre, anche'),
    interjections: setOf(
      `buongiorno, buonasera, salve, ciao, certo, certamente, perfetto, va bene, d'accordo, benissimo, molto bene,
        grazie, grazie mille, prego, nessun problema, mi dispiace, un attimo, un momento, capisco, ho capito,
        volentieri, ottimo, senz'altro`,
    ),
    numberParts: setOf(
      `venti, trenta, quaranta, cinquanta, sessanta, settanta, ottanta, novanta, cento, mille, milione, tra, fra, due,
        tre`,
    ),
    dottedOrdinals: null,
  },
  listening: {
    backchannels: entries(
      `sì, si, certo, va bene, bene, benissimo, molto bene, d'accordo, esatto, esattamente, giusto, perfetto, capisco,
        capito, ho capito, ecco, infatti, ah sì, già, chiaro, ottimo, appunto, ah ecco, sì sì`,
    ),
    answers: entries(
      `sì, si, certo, certamente, va bene, bene, d'accordo, esatto, giusto, perfetto, ok, okay, volentieri, senz'altro,
        no, mai, non ancora, per niente, assolutamente, corretto, come no`,
    ),
    softeners: entries('grazie, grazie mille, per favore, per piacere, prego, signore, signora, eh, ehm, beh'),
  },
  turns: {
    unfinished: setOf(
      `e, ed, o, oppure, ma, però, perché, che, quando, se, come, dove, mentre, quindi, poi, allora, il, lo, la, i, gli,
        le, l, un, uno, una, mio, mia, miei, mie, suo, sua, suoi, sue, vostro, vostra, nostro, nostra, questo, questa,
        quel, quella, dei, degli, delle, del, dello, della, dell, al, allo, alla, all, dal, dalla, nel, nella, sul,
        sulla, eh, ehm, uhm, molto, anche, forse, io, noi, mi, ci, si, non, cioè`,
    ),
    hardlyFinished: setOf(
      `a, di, da, in, con, su, per, tra, fra, senza, verso, fino, è, sono, era, ho, ha, abbiamo, hanno, voglio, vorrei,
        posso, può, potrei, devo, deve, vado, va, chiamo, dopo, prima`,
    ),
    unfinishedPhrases: setOf(
      `vorrei, mi piacerebbe, sto cercando, ho bisogno, il mio nome è, mi chiamo, può dirmi, potrebbe dirmi, penso che,
        credo che, un attimo, un momento, aspetti, mi serve`,
    ),
    finishedPhrases: setOf(
      `grazie, grazie mille, arrivederci, per favore, per piacere, è tutto, nient'altro, basta così, buongiorno,
        buonasera, buona giornata, ciao, non lo so, non so, nessuna idea, non ancora, a domani, a presto, va bene`,
    ),
    pronouns: setOf('io, tu, lei, lui, noi, voi'),
    openings: setOf(
      `se, quando, mentre, siccome, poiché, dopo, prima, per, con, senza, in, da, durante, appena, dato, visto,
        anche, oltre`,
    ),
    closedQuestions: setOf("può dirmi, potrebbe dirmi, c'è un, c'è una, avete un, avete una, è possibile, posso avere"),
  },
  spelling: {
    numbers: digitCounts(
      'zero, uno, un, due, tre, quattro, cinque, sei, sette, otto, nove',
      `dieci, undici, dodici, tredici, quattordici, quindici, sedici, diciassette, diciotto, diciannove, venti, ventuno,
        ventidue, ventitré, ventiquattro, venticinque, ventisei, ventisette, ventotto, ventinove, trenta, quaranta,
        cinquanta, sessanta, settanta, ottanta, novanta`,
    ),
    tens: new Set(),
    doubles: setOf('doppio, doppia'),
    marks: setOf('trattino, barra, più, spazio, maiuscola, maiuscolo, underscore'),
    at: setOf('chiocciola, at'),
    dot: setOf('punto'),
    cues: setOf(
      'numero, telefono, cellulare, codice, cap, ordine, cliente, conto, iban, riferimento, targa, fiscale, pratica',
    ),
    emailCues: setOf('email, e-mail, mail, posta'),
    nameCues: setOf('nome, cognome, chiama'),
  },
  spoken: {
    digits: 'zero uno due tre quattro cinque sei sette otto nove'.split(' '),
    signs: signsOf(
      `e, o, a, chiocciola, punto, barra, trattino, trattino basso, più, per cento, numero, paragrafo, uguale a, per,
        gradi, Celsius, Fahrenheit, cancelletto, circa`,
    ),
    abbreviations: pairs(
      `p.es=per esempio; es=esempio; ecc=eccetera; sig=signor; sig.ra=signora; sig.na=signorina; dott=dottor;
        dott.ssa=dottoressa; prof=professor; avv=avvocato; ing=ingegner; tel=telefono; ca=circa; max=massimo;
        min=minimo; e/o=e o`,
    ),
    numberAbbreviations: pairs('n=numero; nr=numero; num=numero; art=articolo; pag=pagina'),
    titles: new Map(),
    acronyms: setOf('FAQ, UE, USB, URL, API, ID, ASL, IP, IA'),
    numbers: null,
  },
  greetings: {
    screening: [
      'dica il suo nome e',
      'il suo nome e il motivo',
      'il motivo della chiamata',
      'il motivo della sua chiamata',
    ],
    voicemail: [
      'lasciate un messaggio',
      'lascia un messaggio',
      'lasci un messaggio',
      'lasciare un messaggio',
      'lasciare il tuo messaggio',
      'lasciare il vostro messaggio',
      'dopo il segnale acustico',
      'dopo il segnale',
      'dopo il bip',
      'segreteria telefonica',
      'casella vocale',
      'la richiamerò',
      'ti richiamo',
      'vi richiameremo',
      'la richiameremo',
    ],
    ivr: [
      ...keyPhrases(
        ['prema', 'premi', 'premere', 'digiti', 'digitare', 'prema il', 'digiti il'],
        ['zero', 'uno', 'due', 'tre', 'quattro', 'cinque', 'asterisco', 'cancelletto'],
      ),
      'tutti i nostri operatori',
      'rimanga in linea',
      'restare in attesa',
      'attendere in linea',
      'potrebbe essere registrata',
      'sarà registrata',
      'il numero selezionato è inesistente',
      'non è attivo',
    ],
    likelyVoicemail: [
      'non è raggiungibile',
      'non è disponibile',
      'al momento non disponibile',
      'non possiamo rispondere',
      'non posso rispondere',
      'il cliente da lei chiamato',
      'la persona chiamata',
      'risponde la segreteria',
    ],
    likelyIvr: ['benvenuto', 'benvenuti', 'benvenuta', 'grazie per aver chiamato', 'grazie per averci chiamato'],
    human: ['come posso aiutarla', 'come posso aiutarti', 'in cosa posso aiutarla', 'chi parla', 'chi è', 'mi dica'],
  },
};
