import { setOf } from '../language.ts';
import { pairs, type Signs, type SpokenLanguage } from './spoken-language.ts';

/** Languages of which only words are known: their numbers are left to the synthesizer. */

const none: ReadonlyMap<string, string> = new Map();

export const de: SpokenLanguage = {
  digits: 'null eins zwei drei vier fünf sechs sieben acht neun'.split(' '),
  signs: signs(
    'und, oder, at, at, Punkt, Schrägstrich, Bindestrich, Unterstrich, plus, Prozent, Nummer, Paragraph, gleich, mal, Grad, Hashtag, etwa',
  ),
  abbreviations: pairs(
    'z.b=zum Beispiel; d.h=das heißt; u.a=unter anderem; bzw=beziehungsweise; usw=und so weiter; etc=et cetera; ca=circa; evtl=eventuell; ggf=gegebenenfalls; inkl=inklusive; exkl=exklusive; zzgl=zuzüglich; hr=Herr; fr=Frau; dr=Doktor; prof=Professor; tel=Telefon; str=Straße; mind=mindestens; max=maximal; sog=sogenannt; i.d.r=in der Regel; v.a=vor allem',
  ),
  numberAbbreviations: pairs('nr=Nummer; art=Artikel; abs=Absatz; s=Seite'),
  titles: none,
  acronyms: setOf('FAQ, EU, USA, USB, URL, API, ID, IT, AG, EDV, UNO, AI, KI, IP, ARD, AOK, ADAC, EC'),
  numbers: null,
};

export const fr: SpokenLanguage = {
  digits: 'zéro un deux trois quatre cinq six sept huit neuf'.split(' '),
  signs: signs(
    'et, ou, à, arobase, point, barre oblique, tiret, tiret bas, plus, pour cent, numéro, paragraphe, égale, fois, degrés, hashtag, environ',
  ),
  abbreviations: pairs(
    "p.ex=par exemple; c.-à-d=c'est-à-dire; etc=et cetera; env=environ; mme=Madame; mlle=Mademoiselle; dr=Docteur; pr=Professeur; tél=téléphone; av=avenue; bd=boulevard",
  ),
  numberAbbreviations: pairs('no=numéro; n=numéro; art=article; p=page'),
  titles: pairs('mme=Madame; mlle=Mademoiselle; dr=Docteur'),
  acronyms: setOf('FAQ, UE, USB, URL, API, ID, TVA, RIB, CB, EDF, RATP, IP, IA'),
  numbers: null,
};

export const es: SpokenLanguage = {
  digits: 'cero uno dos tres cuatro cinco seis siete ocho nueve'.split(' '),
  signs: signs(
    'y, o, en, arroba, punto, barra, guion, guion bajo, más, por ciento, número, párrafo, igual a, por, grados, almohadilla, aproximadamente',
  ),
  abbreviations: pairs(
    'p.ej=por ejemplo; etc=etcétera; aprox=aproximadamente; sr=señor; sra=señora; srta=señorita; dr=doctor; dra=doctora; ud=usted; uds=ustedes; tel=teléfono; avda=avenida; máx=máximo; mín=mínimo',
  ),
  numberAbbreviations: pairs('n=número; nº=número; núm=número; art=artículo; pág=página'),
  titles: none,
  acronyms: setOf('FAQ, USB, URL, API, ID, IVA, IP, IA'),
  numbers: null,
};

function signs(list: string): Signs {
  const [
    and = '',
    or = '',
    at = '',
    atSign = '',
    dot = '',
    slash = '',
    dash = '',
    underscore = '',
    plus = '',
    percent = '',
    number = '',
    paragraph = '',
    equals = '',
    times = '',
    degrees = '',
    hashtag = '',
    about = '',
  ] = list.split(', ');
  return {
    and,
    or,
    at,
    atSign,
    dot,
    slash,
    dash,
    underscore,
    plus,
    percent,
    number,
    paragraph,
    equals,
    times,
    degrees,
    hashtag,
    about,
  };
}
