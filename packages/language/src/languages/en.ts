import { greetings } from './en/greetings.ts';
import { spoken } from './en/spoken.ts';
import type { Language } from './language.ts';
import { digitCounts, entries, setOf } from './lists.ts';

export const en: Language = {
  tag: 'en',
  sentences: {
    abbreviations: setOf(
      `mr, mrs, ms, dr, prof, rev, hon, st, gen, col, sgt, capt, lt, e.g, eg, i.e, ie, cf, approx, vs, viz, ext,
        tel, mt, ph.d`,
    ),
    lastAbbreviations: setOf(
      'etc, inc, ltd, co, corp, jr, sr, a.m, p.m, am, pm, dept, appt, ave, blvd, u.s, u.k, max, min',
    ),
    numberAbbreviations: setOf('no, nr, art, fig, p, pp, vol, ch, sec, apt'),
    capitalWords: setOf('i'),
    conjunctions: setOf('and, but, or, so, because, although, while, which, then, unless'),
    interjections: setOf(
      `sure, of course, certainly, absolutely, definitely, great, perfect, excellent, alright, all right, got it,
        i see, thank you, thanks, thanks a lot, no problem, my pleasure, you are welcome, you're welcome,
        good morning, good afternoon, good evening, hello, hello there, hi, hi there, sorry, i'm sorry,
        i am sorry, one moment, one moment please, just a moment`,
    ),
    numberParts: setOf(
      `hundred, thousand, million, billion, one, two, three, four, five, six, seven, eight, nine, ten, twelve,
        twenty, between`,
    ),
    dottedOrdinals: null,
  },
  listening: {
    backchannels: entries(
      `yeah, yea, yep, yup, yes, right, sure, alright, all right, i see, got it, gotcha, i got it, i understand,
        i know, understood, cool, great, nice, good, fine, perfect, exactly, true, indeed, of course, makes sense,
        that makes sense, absolutely, definitely, totally, wow, go on, go ahead, very good, very well,
        that's right, that is right, fair enough, interesting, lovely, wonderful, yes yes`,
    ),
    answers: entries(
      `yes, yeah, yea, yep, yup, ya, sure, okay, ok, right, alright, all right, fine, good, great, perfect,
        correct, exactly, true, indeed, of course, absolutely, definitely, that's right, that is right,
        that's correct, that is correct, i do, it is, uhhuh, uh huh, mmhmm, mm hmm, mhm, no, nope, nah,
        not really, never, uhuh, mmmm no`,
    ),
    softeners: entries(
      "please, thanks, thank you, ma'am, sir, well, uh, um, oh, thank you very much, that's fine, sure",
    ),
  },
  turns: {
    unfinished: setOf(
      `and, or, but, because, cause, so, if, when, while, that's, which, who, whose, where, than, then, as,
        although, though, unless, until, the, a, an, my, your, his, her, its, our, their, this, these, those,
        every, some, any, um, uh, uhm, erm, er, hmm, like, i'm, i'd, i'll, i've, it's, he's, she's, we're,
        they're, you're, we'd, let's, there's, what's, not, very, also, maybe, just, i, we, he, she, they,
        actually, basically, well`,
    ),
    hardlyFinished: setOf(
      `to, of, from, with, for, at, in, on, by, about, into, onto, between, under, over, through, around, during,
        without, after, before, near, via, per, is, are, was, were, am, be, been, have, has, had, do, does, did,
        will, would, can, could, should, shall, may, might, must, gonna, wanna, want, need, says, said,
        called, named`,
    ),
    unfinishedPhrases: setOf(
      `i would like, i want you, i want, i need, i was wondering, can you tell me, could you tell me,
        can you give me, could you give me, my name is, tell me, give me, let me, let me see, let me think,
        i mean, you know, i think, i guess, sort of, kind of, one second, hold on, one moment, as well as,
        there is, there are, how about, what about, such as, the thing is, the problem is, i am, i have, on the,
        in the, to the, at the, i'm looking, i am looking`,
    ),
    finishedPhrases: setOf(
      `thank you, thanks, thank you very much, thank you so much, thanks a lot, bye, goodbye, bye bye, see you,
        see you then, see you later, talk to you later, have a nice day, have a good day, have a good one, please,
        that's all, that is all, that's it, that is it, that will be all, that'll be all, that would be all,
        that's everything, nothing else, i'm good, i'm done, i am done, no problem, come in, log in, sign in,
        come on, good morning, good afternoon, good evening, hello, hi, i don't know, i have no idea, never mind,
        not at all, i think so, i guess so, i hope so, i don't think so, not yet, of course not, why not`,
    ),
    pronouns: setOf('i, you, he, she, it, we, they, that, there'),
    openings: setOf(
      `if, when, while, although, though, because, since, unless, until, after, before, once, as,
        whenever, to, for, by, with, without, at, in, on, during`,
    ),
    closedQuestions: setOf(
      `can you, can i, can we, could you, could i, could we, do you, do i, do we, does it, does he, does she,
        did you, did i, is it, is he, is she, is there, is that, is this, is the, are you, are there, are we,
        are they, will you, will it, will there, would you, would it, should i, should we, may i, have you,
        has it, was it, were you`,
    ),
  },
  spelling: {
    numbers: digitCounts(
      'zero, oh, one, two, three, four, five, six, seven, eight, nine',
      `ten, eleven, twelve, thirteen, fourteen, fifteen, sixteen, seventeen, eighteen, nineteen, twenty, thirty,
        forty, fifty, sixty, seventy, eighty, ninety`,
    ),
    tens: setOf('twenty, thirty, forty, fifty, sixty, seventy, eighty, ninety'),
    doubles: setOf('double, triple'),
    marks: setOf('dash, hyphen, underscore, plus, space, capital, hash, slash'),
    at: setOf('at'),
    dot: setOf('dot, point'),
    cues: setOf(
      `number, phone, telephone, mobile, cell, code, zip, zipcode, postcode, postal, account, order, reference,
        card, iban, serial, pin, spell, spelled, spelt, spelling, plate, invoice, digits`,
    ),
    emailCues: setOf("email, e-mail, mail, email's, e-mail's"),
    nameCues: setOf("name, name's, names, surname"),
  },
  spoken,
  greetings,
};
