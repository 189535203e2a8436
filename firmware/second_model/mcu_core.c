/* The instructions of the ATmega328P (AVRe+) and their cycles, from the AVR instruction set manual. */
#include "mcu.h"

enum { C = 1, Z = 2, N = 4, V = 8, S = 16, H = 32, T = 64, I = 128 };
enum { X_LOW = 26, Y_LOW = 28, Z_LOW = 30, RAM_END = MCU_DATA_BYTES - 1 };

static uint16_t pair(const struct mcu *mcu, int low)
{
    return (uint16_t)(mcu->data[low] | mcu->data[low + 1] << 8);
}

static void set_pair(struct mcu *mcu, int low, uint16_t value)
{
    mcu->data[low] = (uint8_t)value;
    mcu->data[low + 1] = (uint8_t)(value >> 8);
}

static void flags(struct mcu *mcu, uint8_t mask, uint8_t value)
{
    mcu->data[SREG] = (uint8_t)((mcu->data[SREG] & ~mask) | (value & mask));
}

/* S is N xor V. */
static uint8_t with_sign(unsigned f)
{
    return (uint8_t)(f | (!(f & N) != !(f & V) ? S : 0));
}

static uint8_t of_result(uint8_t r)
{
    return (uint8_t)((r ? 0 : Z) | (r & 0x80 ? N : 0));
}

static uint8_t add(struct mcu *mcu, uint8_t d, uint8_t r, unsigned carry)
{
    unsigned sum = d + r + carry;
    uint8_t v = (uint8_t)sum;
    unsigned f = of_result(v);
    f |= sum > 0xFF ? C : 0;
    f |= (d & 15) + (r & 15) + carry > 15 ? H : 0;
    f |= (~(d ^ r) & (d ^ v)) & 0x80 ? V : 0;
    flags(mcu, C | Z | N | V | S | H, with_sign(f));
    return v;
}

/* `keep_zero`: with a carry, Z is only ever cleared. */
static uint8_t subtract(struct mcu *mcu, uint8_t d, uint8_t r, unsigned carry, bool keep_zero)
{
    uint8_t v = (uint8_t)(d - r - carry);
    unsigned f = of_result(v);
    if (keep_zero && !(mcu->data[SREG] & Z))
        f &= ~(unsigned)Z;
    f |= (unsigned)r + carry > d ? C : 0;
    f |= (unsigned)(r & 15) + carry > (unsigned)(d & 15) ? H : 0;
    f |= ((d ^ r) & (d ^ v)) & 0x80 ? V : 0;
    flags(mcu, C | Z | N | V | S | H, with_sign(f));
    return v;
}

static uint8_t logic(struct mcu *mcu, uint8_t v)
{
    flags(mcu, Z | N | V | S, with_sign(of_result(v)));
    return v;
}

static uint8_t shifted_right(struct mcu *mcu, uint8_t d, uint8_t v)
{
    unsigned f = of_result(v);
    f |= d & 1 ? C : 0;
    f |= !(f & N) != !(f & C) ? V : 0;
    flags(mcu, C | Z | N | V | S, with_sign(f));
    return v;
}

static void product(struct mcu *mcu, int value, bool fraction)
{
    uint16_t r = (uint16_t)value;
    unsigned f = r & 0x8000 ? C : 0;
    if (fraction)
        r = (uint16_t)(r << 1);
    flags(mcu, C | Z, (uint8_t)(f | (r ? 0 : Z)));
    set_pair(mcu, 0, r);
}

static void wide(struct mcu *mcu, int low, int by)
{
    uint16_t d = pair(mcu, low);
    uint16_t v = (uint16_t)(d + by);
    unsigned f = (v ? 0 : Z) | (v & 0x8000 ? N : 0);
    if (by >= 0)
        f |= (~d & v & 0x8000 ? V : 0) | (d & ~v & 0x8000 ? C : 0);
    else
        f |= (d & ~v & 0x8000 ? V : 0) | (~d & v & 0x8000 ? C : 0);
    flags(mcu, C | Z | N | V | S, with_sign(f));
    set_pair(mcu, low, v);
}

/* --- memory --- */

static uint8_t load(struct mcu *mcu, uint16_t at)
{
    if (at < MCU_RAM_START)
        return mcu_read(mcu, at);
    if (at > RAM_END) {
        MCU_VIOLATION(mcu, "mcu: reads beyond the RAM");
        return 0xFF;
    }
    if (!mcu->written[at])
        MCU_VIOLATION(mcu, "mcu: reads RAM that was never written, %03x at %04x", at, mcu->pc * 2);
    return mcu->data[at];
}

static void store(struct mcu *mcu, uint16_t at, uint8_t value)
{
    if (at < MCU_RAM_START) {
        mcu_write(mcu, at, value);
    } else if (at > RAM_END) {
        MCU_VIOLATION(mcu, "mcu: writes beyond the RAM");
    } else {
        mcu->data[at] = value;
        mcu->written[at] = 1;
    }
}

static void push(struct mcu *mcu, uint8_t value)
{
    uint16_t sp = pair(mcu, SPL);
    if (sp < MCU_RAM_START || sp > RAM_END) {
        MCU_VIOLATION(mcu, "mcu: the stack is outside the RAM");
        return;
    }
    mcu->data[sp] = value;
    mcu->written[sp] = 1;
    set_pair(mcu, SPL, --sp);
    if (sp < mcu->sp_low)
        mcu->sp_low = sp;
}

static uint8_t pop(struct mcu *mcu)
{
    uint16_t sp = (uint16_t)(pair(mcu, SPL) + 1);
    if (sp < MCU_RAM_START || sp > RAM_END) {
        MCU_VIOLATION(mcu, "mcu: the stack is outside the RAM");
        return 0xFF;
    }
    set_pair(mcu, SPL, sp);
    return mcu->data[sp];
}

static void call(struct mcu *mcu, uint16_t to)
{
    push(mcu, (uint8_t)mcu->pc);
    push(mcu, (uint8_t)(mcu->pc >> 8));
    mcu->pc = to;
}

static void give_back(struct mcu *mcu)
{
    uint16_t high = pop(mcu);
    mcu->pc = (uint16_t)(high << 8 | pop(mcu));
}

static bool has_two_words(uint16_t op)
{
    return (op & 0xFE0E) == 0x940E || (op & 0xFE0E) == 0x940C || (op & 0xFC0F) == 0x9000;
}

static unsigned skip(struct mcu *mcu)
{
    unsigned words = has_two_words(mcu->flash[mcu->pc % MCU_FLASH_WORDS]) ? 2 : 1;
    mcu->pc = (uint16_t)(mcu->pc + words);
    return 1 + words;
}

static uint8_t program_byte(const struct mcu *mcu, uint16_t at)
{
    return (uint8_t)(mcu->flash[at / 2 % MCU_FLASH_WORDS] >> (at & 1 ? 8 : 0));
}

static uint16_t next_word(struct mcu *mcu)
{
    return mcu->flash[mcu->pc++ % MCU_FLASH_WORDS];
}

static unsigned illegal(struct mcu *mcu, uint16_t op)
{
    MCU_VIOLATION(mcu, "mcu: instruction %04x at %04x does not exist", op, (mcu->pc - 1) * 2);
    return 1;
}

/* --- groups of instructions; each returns its cycles --- */

static unsigned two_registers(struct mcu *mcu, uint16_t op)
{
    uint8_t *reg = mcu->data;
    int d = op >> 4 & 31;
    int r = (op & 15) | (op >> 5 & 16);
    unsigned carry = reg[SREG] & C;
    switch (op >> 10) {
    case 0x01: subtract(mcu, reg[d], reg[r], carry, true); return 1;           /* CPC */
    case 0x02: reg[d] = subtract(mcu, reg[d], reg[r], carry, true); return 1;  /* SBC */
    case 0x03: reg[d] = add(mcu, reg[d], reg[r], 0); return 1;                 /* ADD, LSL */
    case 0x04: return reg[d] == reg[r] ? skip(mcu) : 1;                        /* CPSE */
    case 0x05: subtract(mcu, reg[d], reg[r], 0, false); return 1;              /* CP */
    case 0x06: reg[d] = subtract(mcu, reg[d], reg[r], 0, false); return 1;     /* SUB */
    case 0x07: reg[d] = add(mcu, reg[d], reg[r], carry); return 1;             /* ADC, ROL */
    case 0x08: reg[d] = logic(mcu, reg[d] & reg[r]); return 1;                 /* AND, TST */
    case 0x09: reg[d] = logic(mcu, reg[d] ^ reg[r]); return 1;                 /* EOR, CLR */
    case 0x0A: reg[d] = logic(mcu, reg[d] | reg[r]); return 1;                 /* OR */
    case 0x0B: reg[d] = reg[r]; return 1;                                      /* MOV */
    case 0x27: product(mcu, reg[d] * reg[r], false); return 2;                 /* MUL */
    default: return illegal(mcu, op);
    }
}

static unsigned moves_and_signed_products(struct mcu *mcu, uint16_t op)
{
    uint8_t *reg = mcu->data;
    int d = 16 + (op >> 4 & 15);
    int r = 16 + (op & 15);
    int d8 = 16 + (op >> 4 & 7);
    int r8 = 16 + (op & 7);
    if (op == 0)
        return 1; /* NOP */
    switch (op >> 8) {
    case 1: /* MOVW */
        set_pair(mcu, (op >> 4 & 15) * 2, pair(mcu, (op & 15) * 2));
        return 1;
    case 2: product(mcu, (int8_t)reg[d] * (int8_t)reg[r], false); return 2; /* MULS */
    case 3:
        switch (op & 0x88) {
        case 0x00: product(mcu, (int8_t)reg[d8] * reg[r8], false); return 2;         /* MULSU */
        case 0x08: product(mcu, reg[d8] * reg[r8], true); return 2;                  /* FMUL */
        case 0x80: product(mcu, (int8_t)reg[d8] * (int8_t)reg[r8], true); return 2;  /* FMULS */
        default: product(mcu, (int8_t)reg[d8] * reg[r8], true); return 2;            /* FMULSU */
        }
    default: return illegal(mcu, op);
    }
}

static unsigned immediate(struct mcu *mcu, uint16_t op)
{
    uint8_t *d = &mcu->data[16 + (op >> 4 & 15)];
    uint8_t k = (uint8_t)((op & 15) | (op >> 4 & 0xF0));
    switch (op >> 12) {
    case 3: subtract(mcu, *d, k, 0, false); break;                           /* CPI */
    case 4: *d = subtract(mcu, *d, k, mcu->data[SREG] & C, true); break;     /* SBCI */
    case 5: *d = subtract(mcu, *d, k, 0, false); break;                      /* SUBI */
    case 6: *d = logic(mcu, *d | k); break;                                  /* ORI */
    case 7: *d = logic(mcu, *d & k); break;                                  /* ANDI */
    default: *d = k; break;                                                  /* LDI */
    }
    return 1;
}

static unsigned displaced(struct mcu *mcu, uint16_t op)
{
    uint16_t q = (uint16_t)((op & 7) | (op >> 7 & 0x18) | (op >> 8 & 0x20));
    uint16_t at = (uint16_t)(pair(mcu, op & 8 ? Y_LOW : Z_LOW) + q);
    uint8_t *d = &mcu->data[op >> 4 & 31];
    if (op & 0x200)
        store(mcu, at, *d);
    else
        *d = load(mcu, at);
    return 2;
}

/* LD and ST by X, Y or Z, with the pointer increased after or decreased before. */
static unsigned indirect(struct mcu *mcu, uint16_t op, int pointer, int change)
{
    uint8_t *d = &mcu->data[op >> 4 & 31];
    uint16_t at = pair(mcu, pointer);
    if (change < 0)
        set_pair(mcu, pointer, --at);
    if (op & 0x200)
        store(mcu, at, *d);
    else
        *d = load(mcu, at);
    if (change > 0)
        set_pair(mcu, pointer, (uint16_t)(at + 1));
    return 2;
}

static unsigned loads_and_stores(struct mcu *mcu, uint16_t op)
{
    uint8_t *d = &mcu->data[op >> 4 & 31];
    uint16_t z = pair(mcu, Z_LOW);
    bool stores = op & 0x200;
    switch (op & 15) {
    case 0x0: { /* LDS, STS */
        uint16_t at = next_word(mcu);
        if (stores)
            store(mcu, at, *d);
        else
            *d = load(mcu, at);
        return 2;
    }
    case 0x1: return indirect(mcu, op, Z_LOW, 1);
    case 0x2: return indirect(mcu, op, Z_LOW, -1);
    case 0x9: return indirect(mcu, op, Y_LOW, 1);
    case 0xA: return indirect(mcu, op, Y_LOW, -1);
    case 0xC: return indirect(mcu, op, X_LOW, 0);
    case 0xD: return indirect(mcu, op, X_LOW, 1);
    case 0xE: return indirect(mcu, op, X_LOW, -1);
    case 0xF:
        if (stores)
            push(mcu, *d);
        else
            *d = pop(mcu);
        return 2;
    case 0x4: case 0x5: /* LPM */
        if (stores)
            return illegal(mcu, op);
        *d = program_byte(mcu, z);
        if (op & 1)
            set_pair(mcu, Z_LOW, (uint16_t)(z + 1));
        return 3;
    default: return illegal(mcu, op);
    }
}

static unsigned one_register(struct mcu *mcu, uint16_t op)
{
    uint8_t *d = &mcu->data[op >> 4 & 31];
    uint8_t was = *d;
    unsigned f;
    switch (op & 15) {
    case 0x0: /* COM */
        *d = (uint8_t)~was;
        flags(mcu, C | Z | N | V | S, with_sign(of_result(*d) | C));
        return 1;
    case 0x1: /* NEG */
        *d = subtract(mcu, 0, was, 0, false);
        return 1;
    case 0x2: *d = (uint8_t)(was << 4 | was >> 4); return 1; /* SWAP */
    case 0x3: /* INC */
        *d = (uint8_t)(was + 1);
        f = of_result(*d) | (*d == 0x80 ? V : 0);
        flags(mcu, Z | N | V | S, with_sign(f));
        return 1;
    case 0x5: *d = shifted_right(mcu, was, (uint8_t)(was >> 1 | (was & 0x80))); return 1; /* ASR */
    case 0x6: *d = shifted_right(mcu, was, was >> 1); return 1;                           /* LSR */
    case 0x7:                                                                             /* ROR */
        *d = shifted_right(mcu, was, (uint8_t)(was >> 1 | (mcu->data[SREG] & C) << 7));
        return 1;
    case 0xA: /* DEC */
        *d = (uint8_t)(was - 1);
        f = of_result(*d) | (*d == 0x7F ? V : 0);
        flags(mcu, Z | N | V | S, with_sign(f));
        return 1;
    default: return illegal(mcu, op);
    }
}

static unsigned without_operands(struct mcu *mcu, uint16_t op)
{
    switch (op) {
    case 0x9508: give_back(mcu); return 4; /* RET */
    case 0x9518: /* RETI */
        give_back(mcu);
        mcu->data[SREG] |= I;
        mcu->interrupts_wait = true;
        return 4;
    case 0x9588: mcu_sleep(mcu); return 1;
    case 0x95A8: mcu_watchdog_restart(mcu); return 1;
    case 0x95C8: mcu->data[0] = program_byte(mcu, pair(mcu, Z_LOW)); return 3; /* LPM */
    case 0x9409: mcu->pc = pair(mcu, Z_LOW); return 2;                         /* IJMP */
    case 0x9509: call(mcu, pair(mcu, Z_LOW)); return 3;                        /* ICALL */
    default: break;
    }
    if ((op & 0xFF8F) == 0x9408) { /* BSET, SEI */
        if ((op >> 4 & 7) == 7 && !(mcu->data[SREG] & I))
            mcu->interrupts_wait = true;
        mcu->data[SREG] |= (uint8_t)(1 << (op >> 4 & 7));
        return 1;
    }
    if ((op & 0xFF8F) == 0x9488) { /* BCLR, CLI */
        mcu->data[SREG] &= (uint8_t)~(1 << (op >> 4 & 7));
        return 1;
    }
    return illegal(mcu, op);
}

static unsigned bits_of_ports(struct mcu *mcu, uint16_t op)
{
    uint16_t at = (uint16_t)(0x20 + (op >> 3 & 31));
    uint8_t bit = (uint8_t)(1 << (op & 7));
    /* SBI and CBI write only this bit; for flags that are cleared by a 1, the others are unchanged. */
    uint8_t value = at == TIFR0 || at == PCIFR ? 0 : mcu->data[at];
    switch (op >> 8 & 3) {
    case 0: mcu_write(mcu, at, (uint8_t)(value & ~bit)); return 2; /* CBI */
    case 1: return mcu_read(mcu, at) & bit ? 1 : skip(mcu);        /* SBIC */
    case 2: mcu_write(mcu, at, value | bit); return 2;             /* SBI */
    default: return mcu_read(mcu, at) & bit ? skip(mcu) : 1;       /* SBIS */
    }
}

static unsigned group_9(struct mcu *mcu, uint16_t op)
{
    if ((op & 0xFC00) == 0x9C00)
        return two_registers(mcu, op);
    if ((op & 0xFC00) == 0x9800)
        return bits_of_ports(mcu, op);
    if ((op & 0xFC00) == 0x9000)
        return loads_and_stores(mcu, op);
    if ((op & 0xFE00) == 0x9600) { /* ADIW, SBIW */
        int k = (op & 15) | (op >> 2 & 0x30);
        wide(mcu, 24 + (op >> 4 & 3) * 2, op & 0x100 ? -k : k);
        return 2;
    }
    if ((op & 0x0E) == 0x0E || (op & 0x0E) == 0x0C) { /* CALL, JMP; the flash has 14 bits */
        uint16_t to = next_word(mcu);
        if ((op & 0x0E) == 0x0E) {
            call(mcu, to);
            return 4;
        }
        mcu->pc = to;
        return 3;
    }
    if ((op & 15) == 8 || (op & 15) == 9)
        return without_operands(mcu, op);
    return one_register(mcu, op);
}

static unsigned branches_and_bits(struct mcu *mcu, uint16_t op)
{
    uint8_t *d = &mcu->data[op >> 4 & 31];
    uint8_t bit = (uint8_t)(1 << (op & 7));
    if (!(op & 0x800)) { /* BRBS, BRBC */
        bool set = mcu->data[SREG] & bit;
        if (set == !!(op & 0x400))
            return 1;
        int by = op >> 3 & 127;
        mcu->pc = (uint16_t)(mcu->pc + (by > 63 ? by - 128 : by));
        return 2;
    }
    switch (op >> 9 & 3) {
    case 0: /* BLD */
        *d = (uint8_t)(mcu->data[SREG] & T ? *d | bit : *d & ~bit);
        return 1;
    case 1: flags(mcu, T, *d & bit ? T : 0); return 1;          /* BST */
    case 2: return *d & bit ? 1 : skip(mcu);                    /* SBRC */
    default: return *d & bit ? skip(mcu) : 1;                   /* SBRS */
    }
}

static unsigned execute(struct mcu *mcu, uint16_t op)
{
    int by = op & 0xFFF;
    by = by > 2047 ? by - 4096 : by;
    switch (op >> 12) {
    case 0x0: return op < 0x400 ? moves_and_signed_products(mcu, op) : two_registers(mcu, op);
    case 0x1: case 0x2: return two_registers(mcu, op);
    case 0x8: case 0xA: return displaced(mcu, op);
    case 0x9: return group_9(mcu, op);
    case 0xB: { /* IN, OUT */
        uint16_t at = (uint16_t)(0x20 + ((op & 15) | (op >> 5 & 0x30)));
        uint8_t *d = &mcu->data[op >> 4 & 31];
        if (op & 0x800)
            mcu_write(mcu, at, *d);
        else
            *d = mcu_read(mcu, at);
        return 1;
    }
    case 0xC: mcu->pc = (uint16_t)(mcu->pc + by); return 2; /* RJMP */
    case 0xD: call(mcu, (uint16_t)(mcu->pc + by)); return 3; /* RCALL */
    case 0xF: return branches_and_bits(mcu, op);
    default: return immediate(mcu, op);
    }
}

static void interrupt(struct mcu *mcu)
{
    int vector = __builtin_ctz(mcu->pending);
    mcu_interrupt_taken(mcu, vector);
    call(mcu, (uint16_t)(vector * 2));
    mcu->data[SREG] &= (uint8_t)~I;
    mcu->now += 4 * mcu->period;
}

void mcu_step(struct mcu *mcu)
{
    if (mcu->pending && mcu->data[SREG] & I && !mcu->interrupts_wait) {
        interrupt(mcu);
        return;
    }
    mcu->interrupts_wait = false;
    if (mcu->pc >= MCU_FLASH_WORDS) {
        MCU_VIOLATION(mcu, "mcu: jumps outside the flash");
        mcu->pc %= MCU_FLASH_WORDS;
    }
    uint16_t op = mcu->flash[mcu->pc++];
    mcu->instructions++;
    mcu->now += execute(mcu, op) * mcu->period;
}
