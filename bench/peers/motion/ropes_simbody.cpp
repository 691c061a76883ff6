/* The rope of rope.py in Simbody, by its CPodesIntegrator as its package comes.
 * usage: rope_simbody bdf|adams LINKS STIFFNESS DAMPING ACCURACY
 * bdf: Newton's iteration, adams: functional iteration. */
#include <Simbody.h>

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <string>

namespace
{

using namespace SimTK;

const double mass = 1.0, length = 0.1, gravity = 9.81, end = 1.0;

double processor_time()
{
    timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

/* A pin turns about z of the frames at both sides of it. */
void hang(SimbodyMatterSubsystem &matter, GeneralForceSubsystem &forces, int links,
          double stiffness, double damping)
{
    const Inertia central(1e-4, 0.01 / 12, 0.01 / 12);
    const Vec3 com(length / 2, 0, 0);
    const Body::Rigid rod(MassProperties(mass, com, central.shiftFromMassCenter(com, mass)));
    const Rotation z_to_y(UnitVec3(YAxis), ZAxis);
    MobilizedBody parent = matter.Ground();
    for (int k = 0; k < links; k++) {
        const Vec3 at(k > 0 ? length : 0.0, 0, 0);
        MobilizedBody::Pin link(parent, Transform(z_to_y, at), rod, Transform(z_to_y, Vec3(0)));
        Force::MobilityLinearSpring(forces, link, MobilizerQIndex(0), stiffness, 0.0);
        Force::MobilityLinearDamper(forces, link, MobilizerUIndex(0), damping);
        parent = link;
    }
}

void run(bool bdf, int links, double stiffness, double damping, double accuracy)
{
    MultibodySystem system;
    SimbodyMatterSubsystem matter(system);
    GeneralForceSubsystem forces(system);
    Force::UniformGravity(forces, matter, Vec3(0, 0, -gravity));
    hang(matter, forces, links, stiffness, damping);
    const State state = system.realizeTopology();
    CPodesIntegrator integrator(system, bdf ? CPodes::BDF : CPodes::Adams);
    integrator.setAccuracy(accuracy);
    integrator.setFinalTime(end);
    TimeStepper stepper(system, integrator);
    stepper.initialize(state);
    const double start = processor_time();
    stepper.stepTo(end);
    std::printf("{\"seconds\": %.9g, \"turns\": [", processor_time() - start);
    double turn = 0.0;
    for (int k = 0; k < links; k++) {
        turn += stepper.getState().getQ()[k];
        std::printf("%s%.17g", k > 0 ? ", " : "", turn);
    }
    std::printf("]}\n");
}

} // namespace

int main(int count, char **words)
{
    if (count != 6) {
        std::fprintf(stderr, "usage: rope_simbody bdf|adams LINKS STIFFNESS DAMPING ACCURACY\n");
        return 2;
    }
    try {
        run(std::string(words[1]) == "bdf", std::atoi(words[2]), std::atof(words[3]),
            std::atof(words[4]), std::atof(words[5]));
    } catch (const std::exception &failure) {
        std::fprintf(stderr, "rope_simbody: %s\n", failure.what());
        return 1;
    }
    return 0;
}
