#include "link.h"

#include "chance.h"
#include "nrf24.h"
#include "radio_port.h"

enum {
    WARM_UP_MS = 6, /* data sheet table 16: 4.5 ms for a crystal of the highest inductance; the
                     * clock's next tick can come at once */
    SEND_MS = 25,   /* longer than all of the chip's retransmissions */
};

enum link_state { LINK_DEAD, LINK_OFF, LINK_WARMING, LINK_READY, LINK_SENDING, LINK_LISTENING };

static struct nrf24_setup radio;
static uint8_t hub_address[AIR_ADDRESS_BYTES];
static const struct identity *own;
static uint32_t sent_number; /* of the report sent last, after which commands are valid */
static uint16_t chance;
static enum link_state state;
static uint32_t due_ms; /* timeout of the state */

bool link_start(const struct identity *identity, uint8_t starts)
{
    own = identity;
    /* Different for every die and start, and never 0, which the generator cannot leave. */
    chance = (uint16_t)(identity->number << 12 | starts << 4 | 1U);
    radio = (struct nrf24_setup){
        .channel = identity->channel,
        .receive_bytes = AIR_COMMAND_BYTES,
        /* Another pause for each die, so that two that collided once do not collide again. */
        .retry_steps = (uint8_t)(AIR_RETRY_FIRST_STEPS + identity->number),
    };
    identity_die_address(radio.address, identity->set, identity->number);
    identity_hub_address(hub_address, identity->set, identity->number);
    return link_check();
}

bool link_check(void)
{
    if (state != LINK_DEAD && state != LINK_OFF)
        return true;
    /* A chip that has kept its settings need not be set up again. */
    bool alive = (state == LINK_OFF && nrf24_is_alive(&radio)) || nrf24_start(&radio);
    state = alive ? LINK_OFF : LINK_DEAD;
    return alive;
}

static void enter(enum link_state next, uint32_t until_ms)
{
    state = next;
    due_ms = until_ms;
}

static bool is_over(uint32_t now_ms)
{
    return (int32_t)(now_ms - due_ms) >= 0;
}

static void power_up(uint32_t now_ms)
{
    nrf24_power(true);
    enter(LINK_WARMING, now_ms + WARM_UP_MS);
}

static void send_front(const struct die *die, uint32_t now_ms)
{
    uint8_t frame[AIR_REPORT_BYTES];
    struct air_report report = outbox_front(&die->outbox, now_ms);
    if (own->has_key)
        air_report_sign(frame, &report, own);
    else
        air_report_pack(frame, &report, own->set);
    sent_number = report.number;
    nrf24_send(hub_address, frame, sizeof frame);
    enter(LINK_SENDING, now_ms + SEND_MS);
}

static void work(struct die *die, uint32_t now_ms)
{
    if (outbox_is_due(&die->outbox, now_ms)) {
        send_front(die, now_ms);
    } else if (!outbox_is_urgent(&die->outbox)) {
        /* Between attempts too: in standby the radio would take more than the sleeping
         * processor. */
        nrf24_power(false);
        enter(LINK_OFF, now_ms);
    }
}

/* Only now can the hub reach the die, whose receiver would empty the cell in half a day. */
static void listen(uint32_t now_ms)
{
    nrf24_listen(&radio);
    enter(LINK_LISTENING, now_ms + AIR_LISTEN_MS);
}

static void send_failed(struct die *die, uint32_t now_ms)
{
    outbox_unacknowledged(&die->outbox, now_ms, chance_next(&chance));
    enter(LINK_READY, now_ms);
}

/* A radio that neither succeeds nor fails within the timeout has lost its power or its state. */
static void give_up(struct die *die, uint32_t now_ms)
{
    nrf24_cancel();
    send_failed(die, now_ms);
    enter(LINK_DEAD, now_ms);
    if (link_check())
        power_up(now_ms);
}

static void watch_sending(struct die *die, uint32_t now_ms)
{
    enum nrf24_result result = nrf24_poll();
    if (result == NRF24_UNACKNOWLEDGED) {
        send_failed(die, now_ms);
    } else if (result == NRF24_ACKNOWLEDGED) {
        outbox_acknowledged(&die->outbox, now_ms);
        if (die->outbox.count)
            enter(LINK_READY, now_ms);
        else
            listen(now_ms);
    } else if (is_over(now_ms)) {
        give_up(die, now_ms);
    }
}

static bool receive_orders(struct die *die, uint32_t now_ms)
{
    uint8_t frame[AIR_COMMAND_BYTES];
    struct air_order order;
    bool looks = false;
    while (nrf24_receive(frame, sizeof frame)) {
        /* A die with a key takes no other commands: a forged calibration would exchange its faces. */
        bool valid = own->has_key ? air_order_unpack_signed(&order, frame, own, sent_number)
                                  : air_order_unpack(&order, frame, own->set);
        if (!valid || order.die != die->identity.number)
            continue;
        looks |= die_on_order(die, &order);
        due_ms = now_ms + AIR_LISTEN_MS; /* another order may follow */
    }
    if (is_over(now_ms) || outbox_is_due(&die->outbox, now_ms)) {
        nrf24_stop_listening();
        enter(LINK_READY, now_ms);
    }
    return looks;
}

bool link_step(struct die *die, uint32_t now_ms)
{
    switch (state) {
    case LINK_OFF:
        if (outbox_is_urgent(&die->outbox))
            power_up(now_ms);
        return false;
    case LINK_WARMING:
        if (is_over(now_ms))
            enter(LINK_READY, now_ms);
        return false;
    case LINK_READY:
        work(die, now_ms);
        return false;
    case LINK_SENDING:
        watch_sending(die, now_ms);
        return false;
    case LINK_LISTENING:
        return receive_orders(die, now_ms);
    default:
        return false;
    }
}

bool link_is_busy(const struct die *die)
{
    bool could = state == LINK_OFF && die->identity.number != 0;
    return state > LINK_OFF || (could && outbox_is_urgent(&die->outbox));
}
