/* The ATmega328P's registers and vectors that the simulator touches (data sheet DS40002061B,
 * chapters 36 and 12): addresses in data space, bits as masks. */
#ifndef SIM_ATMEGA328P_H
#define SIM_ATMEGA328P_H

enum {
    PINB_AT = 0x23,
    DDRB_AT = 0x24,
    PORTB_AT = 0x25,
    PINC_AT = 0x26,
    DDRC_AT = 0x27,
    PORTC_AT = 0x28,
    PIND_AT = 0x29,
    DDRD_AT = 0x2A,
    PORTD_AT = 0x2B,
    PCIFR_AT = 0x3B,
    EIFR_AT = 0x3C,
    EIMSK_AT = 0x3D,
    EECR_AT = 0x3F,
    EEDR_AT = 0x40,
    EEARL_AT = 0x41,
    EEARH_AT = 0x42,
    SPCR_AT = 0x4C,
    SPSR_AT = 0x4D,
    SPDR_AT = 0x4E,
    SMCR_AT = 0x53,
    MCUSR_AT = 0x54,
    MCUCR_AT = 0x55,
    WDTCSR_AT = 0x60,
    PRR_AT = 0x64,
    PCICR_AT = 0x68,
    EICRA_AT = 0x69,
    ADCSRA_AT = 0x7A,
    TWBR_AT = 0xB8,
    TWSR_AT = 0xB9,
    TWDR_AT = 0xBB,
    TWCR_AT = 0xBC,
    UCSR0A_AT = 0xC0,
    UCSR0B_AT = 0xC1,
    UCSR0C_AT = 0xC2,
    UBRR0L_AT = 0xC4,
    UBRR0H_AT = 0xC5,
    UDR0_AT = 0xC6,
};

enum {
    INT0_VECTOR = 1,
    INT1_VECTOR = 2,
    PCINT0_VECTOR = 3,
    PCINT2_VECTOR = 5,
    WDT_VECTOR = 6,
    SPI_VECTOR = 17,
    USART_RX_VECTOR = 18,
    USART_UDRE_VECTOR = 19,
    USART_TX_VECTOR = 20,
    EE_READY_VECTOR = 22,
    TWI_VECTOR = 24,
};

#define MCUSR_PORF 0x01
#define MCUSR_EXTRF 0x02
#define MCUSR_BORF 0x04
#define MCUSR_WDRF 0x08

#define SMCR_SE 0x01
#define MCUCR_BODS 0x40
#define PRR_SPI 0x04
#define PRR_TWI 0x80
#define ADCSRA_ADEN 0x80
#define ADCSRA_ADSC 0x40

#endif
